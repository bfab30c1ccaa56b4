"""The bots of a table as fields of a form: how strong and of which temper, for each seat but the opener's own."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from domain.engine.bots import TEMPERS, Bot, Strength
from domain.table.evolve import Rules
from service.games.bot_text import LEVELS
from service.web.http.faults import CHOOSE
from service.web.opening.clock_fields import Faults, Filled

STRENGTH: Final = "bot-"
"""What stands before the number of a row in the name of its field; no strength is nobody."""
TEMPER: Final = "temper-"
NOBODY: Final = ""
_STRENGTHS: Final[Mapping[str, Strength]] = {str(strength): strength for strength in LEVELS}


def rows_of(rules: Rules) -> range:
    """The numbers of the rows: as many as bots can ever sit down, without a script that adds more."""
    return range(1, rules.seats[-1])


def filled_of_bots(rules: Rules, bots: Sequence[Bot]) -> Filled:
    """The fields that would seat these bots."""
    found: Filled = {}
    for row in rows_of(rules):
        bot = bots[row - 1] if row <= len(bots) else None
        found[f"{STRENGTH}{row}"] = NOBODY if bot is None else str(bot.strength)
        found[f"{TEMPER}{row}"] = TEMPERS[0] if bot is None else bot.temper
    return found


def read_bots(rules: Rules, filled: Filled) -> tuple[list[dict[str, Any]], Faults]:
    """The bots that the fields ask for, as the API takes them, and what is wrong with the fields."""
    faults: Faults = {}
    found = []
    for row in rows_of(rules):
        strength, temper = filled.get(f"{STRENGTH}{row}", NOBODY), filled.get(f"{TEMPER}{row}", TEMPERS[0])
        if strength == NOBODY:
            continue
        if strength not in _STRENGTHS:
            faults[f"{STRENGTH}{row}"] = CHOOSE
        elif temper not in TEMPERS:
            faults[f"{TEMPER}{row}"] = CHOOSE
        else:
            found.append({"strength": _STRENGTHS[strength], "temper": temper})
    return found, faults


def bot_of(filled: Mapping[str, str]) -> Bot | None:
    """The bot that is called to one seat; None for a form that is none of ours."""
    strength, temper = filled.get("strength", ""), filled.get("temper", "")
    thinks = strength in _STRENGTHS and _STRENGTHS[strength] > 0
    return Bot(_STRENGTHS[strength], temper) if thinks and temper in TEMPERS else None


def offered(filled: Filled) -> list[Strength]:
    """The strengths to choose from: those that think, and what an earlier table had."""
    chosen = {value for name, value in filled.items() if name.startswith(STRENGTH)}
    return [strength for text, strength in _STRENGTHS.items() if strength or text in chosen]
