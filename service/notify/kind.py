"""Every kind of notice, a line each: what the whole service must know of it. Its letter is a module of its own.

To add a kind, add its line here and `workers/kinds/<kind>.py`; tests hold the two against each other and against all
kinds that are put into the outbox (docs/decisions/0021-a-kind-is-one-file.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal


class Urgency(Enum):
    """How a mail fares when its player has had so many (RATE-09)."""

    URGENT = "the last to be held back: it waits, and is never dropped, for nobody's time passes without a word"
    NORMAL = "held back when little room is left"
    NEWS = "the first to be held back"
    OWN = "an answer to the player's own mail: it counts, but limits of its own hold those back"
    UNCOUNTED = "asked for just now, to find something out, or the last: it neither counts nor waits"


MAIL: Final = "mail"
WEBHOOK: Final = "webhook"
FEED: Final = "feed"
PUSH: Final = "push"
Subject = Literal["event", "mail", "message", "act", ""]
"""What the number that begins a notice's key counts; "" where the key is no number."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of notice, as the service knows it."""

    name: str  # as it stands in the outbox and in Message-IDs; never renamed
    urgency: Urgency
    channels: frozenset[str] = frozenset({MAIL})
    event: str = ""  # the type of the webhook's message
    subject: Subject = "event"
    in_bundle: bool = False  # whether audit bundles tell that it was sent
    shows_position: bool = False  # whether its reader has seen the game as it stood
    scheduled: bool = (
        False  # whether it comes in the course of a game, and may so tell what became of the reader's mails
    )
    tells_held: bool = True  # whether it tells how many mails before it were held back


_CALLED: Final = frozenset({MAIL, PUSH})
_TOLD: Final = _CALLED | {FEED}
_ALL_WAYS: Final = _TOLD | {WEBHOOK}
_URGENT, _NORMAL, _NEWS, _OWN, _UNCOUNTED = Urgency
_ALL: Final = (
    Kind("your-turn", _URGENT, _ALL_WAYS, "turn", in_bundle=True, shows_position=True, scheduled=True),
    Kind("reminder", _NORMAL, _ALL_WAYS - {FEED}, "reminder", in_bundle=True, shows_position=True, scheduled=True),
    Kind("deadline-passed", _URGENT, _ALL_WAYS, "deadline-passed", in_bundle=True, shows_position=True, scheduled=True),
    Kind("game-over", _NORMAL, _ALL_WAYS, "game-over", subject="", in_bundle=True, scheduled=True),
    Kind("invitation", _NORMAL, subject=""),
    Kind("begin", _NORMAL, _TOLD),
    Kind("undeliverable", _NEWS, in_bundle=True),
    Kind("answer", _OWN, subject="mail", shows_position=True, tells_held=False),
    Kind("confirm", _OWN, subject="mail", tells_held=False),
    Kind("fresh", _OWN, subject=""),
    Kind("talk", _NEWS, _CALLED, subject="message"),
    Kind("orders-dropped", _NORMAL, _TOLD, in_bundle=True),
    Kind("brief", _NORMAL, _TOLD - {PUSH}, in_bundle=True, shows_position=True),
    Kind("proposal", _NORMAL, _TOLD, in_bundle=True, shows_position=True),
    Kind("taken-back", _NEWS, _TOLD, in_bundle=True, shows_position=True),
    Kind("clock-news", _NEWS, _TOLD, in_bundle=True),
    Kind("vacant", _NEWS, _TOLD, in_bundle=True),
    Kind("seat-taken", _NORMAL),
    Kind("operator-act", _NORMAL, _ALL_WAYS, "operator-act", subject="act"),
    Kind("digest", _NEWS, subject=""),
    Kind("code", _UNCOUNTED, tells_held=False),
    Kind("probe", _UNCOUNTED, tells_held=False),
    Kind("account", _UNCOUNTED, subject="", tells_held=False),
    Kind("erased", _UNCOUNTED, subject="", tells_held=False),
    Kind("ping", _UNCOUNTED, frozenset({WEBHOOK, PUSH}), "ping", subject="", tells_held=False),
)  # fmt: skip
KINDS: Final[Mapping[str, Kind]] = {kind.name: kind for kind in _ALL}


def kinds_of(*urgencies: Urgency) -> frozenset[str]:
    """The names of the kinds of these urgencies."""
    return frozenset(kind.name for kind in KINDS.values() if kind.urgency in urgencies)
