"""What a player chooses to show to others."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.engine.refusals import require
from service.container import Services
from service.people.languages import MOST, SPOKEN
from service.store.database import Connection
from service.store.people import players, profiles
from service.store.people.profiles import Shown


def choose(
    services: Services, tx: Connection, player: str, audiences: Mapping[str, Any], speaks: Sequence[str] | None
) -> Shown:
    """Change who sees which part, and the languages a player speaks, None for as before. Raises RuleViolation."""
    players.lock(tx, player)  # two changes at once both count
    spoken = None if speaks is None else list(dict.fromkeys(speaks))
    known = spoken is None or all(code in SPOKEN for code in spoken)
    require(known, "unknown-language", "DESIGN-8", "There is no such language here: choose of those that are listed.")
    few = spoken is None or len(spoken) <= MOST
    require(few, "too-many-languages", "DESIGN-8", "Choose at most {most} languages.", most=MOST)
    changed = {**audiences, **({} if spoken is None else {"speaks": " ".join(spoken)})}
    shown = msgspec.structs.replace(profiles.of_player(tx, player), **changed)
    profiles.put(services.database, tx, player, shown)
    return shown
