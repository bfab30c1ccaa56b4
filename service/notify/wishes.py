"""By which channel somebody wants to be told what: mail, push, or both; without a device all of it comes by mail."""

from collections.abc import Mapping
from typing import Final

from service.notify.kind import KINDS, MAIL, PUSH, Urgency
from service.store.people.players import Player

BOTH: Final = "both"
CHOICES: Final = (MAIL, PUSH, BOTH)
FIELDS: Final[Mapping[Urgency, str]] = {
    Urgency.URGENT: "tell_urgent", Urgency.NORMAL: "tell_normal", Urgency.NEWS: "tell_news",
}  # fmt: skip
"""Where a person says it (PlayerRow). What else there is concerns their mail."""


def told_by(player: Player, kind: str) -> str:
    """How somebody wants notices of a kind: one of CHOICES."""
    field = FIELDS.get(KINDS[kind].urgency)
    wish: str = MAIL if field is None else getattr(player, field)
    return wish
