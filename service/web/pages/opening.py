"""Opening a table: `/tables/new`."""

import hashlib
from dataclasses import dataclass
from functools import partial
from typing import Final

from flask import Response, make_response, redirect, render_template, request

from domain.engine.refusals import RuleViolation
from domain.engine.sentences import Sentence, say
from domain.rulesets import RULESETS
from domain.table.evolve import Rules
from service.accounts import idempotency
from service.api.games import OpeningSchema
from service.api.http.reading import is_id
from service.clocks import leave_days
from service.clocks.presets import PRESETS
from service.deadlines.example import Home, example
from service.deadlines.policy_text import terms
from service.games import play
from service.games.seat_names import display_names
from service.kernel.ids import new_form_key
from service.store.event_store.streams import NoSuchGame
from service.store.people import avoided, players
from service.web.http.forms import Pages
from service.web.http.language import now, reader_locale
from service.web.http.session import member, members_only, services
from service.web.opening.bot_fields import offered, read_bots, rows_of
from service.web.opening.clock_fields import Faults, Filled
from service.web.opening.form import OPTION, Wanted, against_bots, blank, filled_like, read, ruleset_of

bp = Pages("opening", __name__)
AGAINST_BOTS: Final = "bots"
"""What `?against=` asks for: a table that is full of them, to play at now."""
FIELD_OF: Final = {
    "bad-seats": "seats",
    "bad-bots": "bots",
    "too-many-bot-tables": "bots",
    "bad-clock": "clock",
    "too-many-invitations": "invite",
}
"""Which field a refusal is about."""

ALWAYS_SHOWN: Final = frozenset({"invite", "clock", "form"})
"""Faults of fields that are not among more options."""

TOO_OFTEN: Final = say("Somebody you ask again has had several invitations today: try again tomorrow.")
"""Without the address that the refusal names."""


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody from an earlier game, who can be asked again by name: their address is nobody's business."""

    player: str
    name: str


@dataclass(frozen=True, slots=True)
class Before:
    """An earlier game that is to be played again."""

    game: str
    rules: Rules
    filled: Filled
    companions: list[Companion]


@bp.get("/tables/new")
@members_only
def page() -> Response:
    """The games to choose from, or the form for one of them."""
    before, against = _before(request.args.get("rematch", "")), request.args.get("against") == AGAINST_BOTS
    rules = before.rules if before else ruleset_of(request.args.get("ruleset", ""))
    if rules is None:
        return make_response(render_template("tables/choose.html", rulesets=RULESETS.values(), against=against))
    filled = before.filled if before else against_bots(rules) if against else blank(rules)
    asked = [companion.player for companion in before.companions] if before else []
    return _form(rules, filled | {"key": new_form_key(services().entropy)}, before, asked, {})


@bp.post("/tables/new")
@members_only
def send() -> Response:
    """Reckon the clock out, or open the table."""
    before = _before(request.form.get("rematch", ""))
    rules = before.rules if before else ruleset_of(request.form.get("ruleset", ""))
    if rules is None:
        return redirect("/tables/new", 303)  # type: ignore[return-value]
    filled = {name: value[:5000] for name, value in request.form.items()}
    asked = request.form.getlist("again")
    wanted = read(rules, filled, services().settings.min_move_time)
    if wanted.faults or filled.get("do") != "open":
        return _form(rules, filled, before, asked, wanted.faults)
    try:
        return redirect(f"/g/{_open(wanted, filled, _companions_among(before, asked))}", 303)  # type: ignore[return-value]
    except RuleViolation as refused:
        why = TOO_OFTEN if any(key in refused.message for key in _addresses(before, asked)) else refused.message
        return _form(rules, filled, before, asked, {FIELD_OF.get(refused.code, "form"): why})


def _open(wanted: Wanted, filled: Filled, again: list[str]) -> str:
    """Open a table, also for these players, and return its id; that of the first if the same form is sent twice."""
    loaded = OpeningSchema().load(wanted.document)
    kind = loaded.pop("ruleset")
    # a form that was changed on the way back opens another table
    form = hashlib.sha256(repr((wanted.document, again)).encode()).hexdigest()
    claim = idempotency.claim(member().id, f"{form}.{filled.get('key', '')[:40]}", "POST", request.path, b"")
    with services().database.write() as tx:
        kept = idempotency.replay(services().database, services().sealer, tx, claim)
        if kept is not None:
            return kept.body.decode()
        game = play.open_game(services(), tx, member().id, kind=kind, again=again, **loaded).head.game
        idempotency.keep(services().sealer, tx, claim, idempotency.Answer(303, [], game.encode()))
    services().wakeup.wake()
    return game


def _form(rules: Rules, filled: Filled, before: Before | None, asked: list[str], faults: Faults) -> Response:
    least = services().settings.min_move_time
    clock = read(rules, filled, least).clock
    with services().database.read() as connection:
        home = Home(*leave_days.home_of(connection, member().id))
    means = partial(example, home=home, locale=reader_locale(), now=now())
    shown: list[Sentence] = [] if clock is None else means(clock)
    answer = render_template(
        "tables/new.html",
        rules=rules,
        filled=filled,
        faults=faults,
        before=before,
        asked=asked,
        bot_rows=rows_of(rules),
        offered=offered(filled),
        presets={name: (preset.name, terms(preset.clock), means(preset.clock)[0]) for name, preset in PRESETS.items()},
        more=filled.get("do") == "example" or bool(faults.keys() - ALWAYS_SHOWN),
        bots_chosen=len(read_bots(rules, filled)[0]),
        terms=[] if clock is None else terms(clock),
        example=shown,
        zone=home.zone,
        differs=sum(filled.get(f"{OPTION}{name}", values[0]) != values[0] for name, values in rules.options.items()),
    )
    return make_response(answer, 422 if faults else 200)


def _before(game: str) -> Before | None:
    """The earlier game a rematch is of, for those who sat there; None for any other."""
    if not is_id(game):
        return None
    with services().database.read() as connection:
        try:
            head, seat = play.look(services(), connection, game, member().id)
        except NoSuchGame:
            return None
        if seat is None:
            return None
        named = zip(head.table.chairs, display_names(connection, head), strict=True)
        blocked = avoided.blocked_by(connection, member().id)
        companions = [
            Companion(chair.player, name)
            for chair, name in named
            if name and chair.player and chair.player not in blocked | {member().id}
        ]
        chairs = head.table.chairs
        bots = [chair.bot for chair in chairs if chair.bot is not None]
        like = (len(chairs), bots, head.table.options, head.table.clock)
        return Before(game, head.rules, filled_like(head.rules, *like), companions)


def _companions_among(before: Before | None, asked: list[str]) -> list[str]:
    """Return those of an earlier game who are asked again."""
    return [] if before is None else [friend.player for friend in before.companions if friend.player in asked]


def _addresses(before: Before | None, asked: list[str]) -> list[str]:
    """Return the folded addresses of those who are asked again."""
    with services().database.read() as connection:
        keys = [players.email_key_of(connection, player) for player in _companions_among(before, asked)]
    return [key for key in keys if key is not None]
