"""The releases of Wardroom, each with the newest migration it brings and the events that no earlier one can read.

CHANGELOG.md names the same migrations under the same releases, with what a host must do.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Release:
    """One release. `revision` is the schema that it works with; None is the newest there is."""

    version: str
    revision: str | None
    events: tuple[tuple[str, str], ...] = ()
    """Events that it writes first: patterns of SQL for the stored type and for the body."""


RELEASES: Final = (Release("0.2.0", None),)
"""All releases, the oldest first. The last one is this code."""
CURRENT: Final = RELEASES[-1]


def called(version: str) -> Release | None:
    """The release of a version, None where there is none."""
    return next((release for release in RELEASES if release.version == version), None)


def before(release: Release) -> Release | None:
    """The release before, None for the first."""
    place = RELEASES.index(release)
    return RELEASES[place - 1] if place else None


def unreadable_by(release: Release) -> tuple[tuple[str, str], ...]:
    """The events that a release cannot read, as later ones write them."""
    return tuple(event for later in RELEASES[RELEASES.index(release) + 1 :] for event in later.events)
