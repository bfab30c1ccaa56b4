"""The vectors of audit bundles: good bundles, and ways to spoil them with the verdict that each must get."""

from collections.abc import Callable, Iterator
from typing import Final

from tests.audit.vectors import clock, damage, hosts, kept
from tests.audit.vectors.operations import HISTORY, Spoiling
from tests.audit.vectors.page import FOUND


def _of_page(stage: str, *, later: bool = False) -> Callable[[], Iterator[Spoiling]]:
    """The sentences of the page that a change of one stage breaks; of the history those of a kind of base."""
    return lambda: (
        spoiling
        for spoiling in FOUND
        if spoiling.stage == stage and (stage != HISTORY or (spoiling.base != "over") is later)
    )


GROUPS: Final[dict[str, Callable[[], Iterator[Spoiling]]]] = {
    "good": hosts.good,
    "harmless": hosts.harmless,
    **{f"page: {stage}": _of_page(stage) for stage in sorted({spoiling.stage for spoiling in FOUND})},
    "page: history of other games": _of_page(HISTORY, later=True),
    "page: the clock": clock.spoilings,
    "archives": damage.archives,
    "digests": damage.digests,
    "other files": damage.other_files,
    "fields of events": damage.event_fields,
    "lines of events": damage.event_lines,
    "canonical JSON": damage.canonical_json,
    "hostile files": damage.hostile_files,
    "cheating": hosts.cheating,
    "against the rules": hosts.against_the_rules,
    "undecided": hosts.undecided,
    "rewritten": kept.rewritten,
    "keys": kept.keys,
    "mails": kept.mails,
}
"""The vectors by the kind of spoiling."""
