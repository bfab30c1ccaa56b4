"""Standing orders on a page: rows for what most people order, lines for all the rest; tried, filed, withdrawn.

What is ordered is a secret of the seat until the game is over, so it travels in forms alone, never in an address.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
from flask import Response, abort, redirect, render_template, request, url_for

from domain.engine.game import Seat
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.engine.sentences import say
from domain.table.standing_orders import form_of
from service.games import event_text, play, standing_orders
from service.games.outcomes import Moved
from service.games.seat_names import notation_names, shown_names
from service.store.database import Connection
from service.store.event_store.streams import Head, StaleTurn
from service.web.game.access import of_a_game
from service.web.game.forms import seen
from service.web.http.forms import Pages
from service.web.http.session import member, services
from service.web.orders import BUILDERS

bp = Pages("ordering", __name__)
LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Draft:
    """Orders being written: fields of rows, lines beside them; what they would do at once; what is wrong with them."""

    fields: Mapping[str, str]
    rest: str = ""
    told: Sequence[str] = ()
    tried: bool = False
    fault: str = ""
    rule: str = ""
    line: str = ""
    lines: Sequence[str] = field(default=())


@bp.get("/g/<string:game>/orders")
@of_a_game
def page(game: str) -> str:
    """What I have ordered ahead, to be changed."""
    with services().database.read() as connection:
        head, seat = _seated(connection, game)
        return _render(connection, head, seat, _standing(connection, head, seat))


@bp.post("/g/<string:game>/orders")
@of_a_game
def write(game: str) -> Response | str | tuple[str, int]:
    """Try the orders of the form, file them, or withdraw those that stand."""
    act = request.form.get("do", "try")
    with services().database.read() as connection:
        head, seat = _seated(connection, game)
        draft = _read(head, connection)
    try:
        if act == "withdraw":
            return _record(game, seat, None)
        if act == "file" and not draft.fault:
            return _record(game, seat, _text(draft))
        if not draft.fault:
            with services().database.read() as connection:
                tried = standing_orders.try_orders(services(), connection, game, member().id, text=_text(draft))
                draft = _told(connection, tried, draft)
    except (OrderNotUnderstood, RuleViolation) as refused:
        draft = _refused(refused, draft)
    except StaleTurn:
        moved_on = say("The game has moved on since this page was made, so nothing is filed: look, then file again.")
        draft = Draft(draft.fields, draft.rest, fault=moved_on)
    with services().database.read() as connection:
        head, seat = _seated(connection, game)
        return _render(connection, head, seat, draft), 422 if draft.fault else 200


def _record(game: str, seat: Seat, text: str | None) -> Response:
    with services().database.write() as tx:
        who = member().id
        if text is None:
            standing_orders.drop_orders(services(), tx, game, who, seen=seen())
        else:
            standing_orders.put_orders(services(), tx, game, who, text=text, seen=seen())
    services().wakeup.wake()
    return redirect(url_for("ordering.page", game=game, done="withdrawn" if text is None else "filed"), 303)  # type: ignore[return-value]


def _seated(connection: Connection, game: str) -> tuple[Head, Seat]:
    """The game and the reader's seat at it; before the first position there is nothing to order, but a table to see."""
    head, seat = play.look(services(), connection, game, member().id)
    if seat is None:
        raise play.NotSeated
    if head.table.game is None:
        abort(redirect(f"/g/{game}", 303))
    return head, seat


def _standing(connection: Connection, head: Head, seat: Seat) -> Draft:
    """The orders that stand, as fields and lines."""
    stands = standing_orders.document(head, seat)["orders"]
    if stands is None:
        return Draft({})
    ahead = form_of(head.rules)
    given, left = BUILDERS[head.rules.kind].fields(msgspec.convert(stands, ahead.form))
    return Draft(given, ahead.write(left))


def _read(head: Head, connection: Connection) -> Draft:
    """What the form holds; with a fault, where what was chosen lacks an amount."""
    given = {name: text[:200] for name, text in request.form.items() if name not in ("rest", "do", "csrf")}
    rest = request.form.get("rest", "")[:LONGEST].replace("\r\n", "\n")
    try:
        lines = BUILDERS[head.rules.kind].lines(given, notation_names(connection, head))
    except OrderNotUnderstood as lacking:
        return _refused(lacking, Draft(given, rest))
    return Draft(given, rest, lines=[*lines, *(line for line in rest.split("\n") if line.strip())])


def _text(draft: Draft) -> str:
    return "\n".join(draft.lines)


def _told(connection: Connection, tried: Moved, draft: Draft) -> Draft:
    """A draft that was tried, with what it would do at once."""
    names = shown_names(connection, tried.head)
    sentences = [event_text.tell(tried.head.rules, fact.event, names) for fact in tried.record.facts]
    return Draft(draft.fields, draft.rest, list(filter(None, sentences)), tried=True, lines=draft.lines)


def _refused(refused: OrderNotUnderstood | RuleViolation, draft: Draft) -> Draft:
    line = refused.line if isinstance(refused, OrderNotUnderstood) else ""
    return Draft(draft.fields, draft.rest, fault=refused.message, rule=refused.rule, line=line, lines=draft.lines)


def _render(connection: Connection, head: Head, seat: Seat, draft: Draft) -> str:
    builder = BUILDERS[head.rules.kind]
    names = shown_names(connection, head)
    return render_template(
        builder.TEMPLATE,
        head=head,
        draft=draft,
        given=draft.fields,
        title=head.rules.presentation.title,
        stands=standing_orders.document(head, seat),
        running=head.table.status == "running",
        done=request.args.get("done", ""),
        **builder.rows(head, seat, names),
    )
