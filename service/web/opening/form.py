"""What somebody filled in to open a table, and the table it would open: the API's own schema reads it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from marshmallow import ValidationError

from domain.engine.bots import TEMPERS, Bot
from domain.engine.refusals import RuleViolation
from domain.rulesets import RULESETS
from domain.table.evolve import Rules
from service.api.games import OpeningSchema
from service.clocks.policy import check_clock
from service.clocks.presets import PRESETS, RELAXED, STANDARD
from service.games.bots import seats_of_first_game
from service.web.http.faults import faults_of
from service.web.http.mail_addresses import BadAddresses, addresses_in
from service.web.opening.bot_fields import filled_of_bots, read_bots
from service.web.opening.clock_fields import OWN, Faults, Filled, filled_of, read_clock

OPTION: Final = "option-"
"""What stands before the name of an option in the name of its field."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A table as it would be opened: the document for the API's schema, the checked clock, and what is wrong."""

    document: dict[str, Any]
    clock: dict[str, Any] | None
    faults: Faults = field(default_factory=dict)


def blank(rules: Rules) -> Filled:
    """The form as it is first shown."""
    usual = {f"{OPTION}{name}": values[0] for name, values in rules.options.items()}
    filled = {"name": "", "seats": "", "public": "yes", "invite": "", "pace": STANDARD, **usual, **filled_of({})}
    return {**filled, **filled_of_bots(rules, [])}


def against_bots(rules: Rules) -> Filled:
    """Fill the form for a first game: bots on all other seats, and time to spare."""
    seats = seats_of_first_game(rules)
    bots = [Bot(1, temper) for temper in TEMPERS[: seats - 1]]
    return {**blank(rules), "public": "no", "pace": RELAXED, **filled_of_bots(rules, bots)}


def filled_like(
    rules: Rules, seats: int, bots: Sequence[Bot], options: Mapping[str, str], clock: Mapping[str, Any]
) -> Filled:
    """The form that would open a table like another one."""
    same = next((name for name, preset in PRESETS.items() if _is(preset.clock, clock)), OWN)
    chosen = {f"{OPTION}{name}": value for name, value in options.items()}
    filled = {**blank(rules), "seats": str(seats), "pace": same, **chosen, **filled_of(clock)}
    return {**filled, **filled_of_bots(rules, bots)}


def read(rules: Rules, filled: Filled, least: timedelta) -> Wanted:
    """Return the table that the form asks for."""
    clock, faults = read_clock(filled, least)
    checked = None
    if not faults:
        try:
            checked = check_clock(clock, least)
        except RuleViolation as refused:
            faults["clock"] = refused.message
    try:
        invited = addresses_in(filled.get("invite", ""))
    except BadAddresses as bad:
        invited, faults["invite"] = [], bad.message
    bots, wrong = read_bots(rules, filled)
    faults |= wrong
    document = {
        "ruleset": rules.kind,
        "name": filled.get("name", "").strip() or None,
        "seats": _number(filled.get("seats", "")),
        "bots": bots,
        "public": filled.get("public") == "yes",
        "options": {name: filled[f"{OPTION}{name}"] for name in rules.options if f"{OPTION}{name}" in filled},
        "invite": invited,
        "clock": clock,
    }
    try:
        OpeningSchema().load(document)
    except ValidationError as error:
        faults = {**faults_of(error), **faults}
    return Wanted(document, checked, faults)


def ruleset_of(kind: str) -> Rules | None:
    """The ruleset of this name."""
    return RULESETS.get(kind)


def _is(preset: Mapping[str, Any], clock: Mapping[str, Any]) -> bool:
    return check_clock(preset, timedelta(0)) == clock


def _number(text: str) -> int | str | None:
    """Return a text as a number, "" as None, and any other text unchanged, for the schema to refuse."""
    if not text.strip():
        return None
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 3 else text
