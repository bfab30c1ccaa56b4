"""What forms of the page do: once, however often they are sent, and only to the game that their sender has seen."""

import hashlib
from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode

from flask import Response, make_response, redirect, request

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.engine.sentences import say
from service.accounts import idempotency
from service.games import play
from service.games.outcomes import NotSaid
from service.store.database import Connection
from service.store.event_store.streams import Seen, StaleTurn
from service.web.game.draft import NOTHING, Sent, played_at, refusal_of
from service.web.game.page import Answer, game_page, view_of
from service.web.http.session import member, services

Act = Callable[[Connection], str]
"""Does something in a transaction; says where on the page to look then: "?done=17#status"."""
KEY: Final = "key"
VERSION: Final = "version"
REFUSALS: Final = (RuleViolation, OrderNotUnderstood, NotSaid, StaleTurn)
MOVED_ON: Final = say("The game has moved on since you opened this page: look at it again, then decide.")
ONLY_ASKS: Final = "was-it-played"
"""The field of a form that is sent again although its sender has changed the draft since: nothing is done for it."""
NEVER: Final = frozenset([0])
"""The version that no game is ever at: a form that names none is one of an old page."""


def once(game: str, act: Act) -> Response:
    """Do what a form asks, in one transaction, and lead to the page; the same form again leads there, too.

    Raises one of REFUSALS, and nothing was done.
    """
    wanted = _claim()
    with services().database.write() as tx:
        kept = idempotency.replay(services().database, services().sealer, tx, wanted) if wanted else None
        if kept is not None:
            return _to(dict(kept.headers)["Location"])
        if ONLY_ASKS in request.form:
            raise StaleTurn(seen_version() or 0, 0)
        address = f"/g/{game}{act(tx)}"
        if wanted:
            answer = idempotency.Answer(303, [("Location", address)], b"")
            idempotency.keep(services().sealer, tx, wanted, answer)
    services().wakeup.wake()
    return _to(address)


def answered(game: str, act: Act, sent: Sent = NOTHING) -> Response:
    """The same; where it is refused, the page with the reason beside what was sent, and nothing of that lost."""
    try:
        return once(game, act)
    except REFUSALS as error:
        return _refused(game, error, sent)


def seen() -> Seen:
    """The version of the game that the form was made for."""
    version = seen_version()
    return NEVER if version is None else frozenset([version])


def seen_version() -> int | None:
    """That version as a number; None where the form names none that could be."""
    return whole_number(request.form.get(VERSION))


def whole_number(text: str | None) -> int | None:
    """A number as a form or an address has it; None for what is none, or too large for any game."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 9 else None


def _refused(game: str, error: Exception, sent: Sent) -> Response:
    with services().database.read() as connection:
        head, seat = play.look(services(), connection, game, member().id)
        view = view_of(connection, head, seat)
        if played := played_at(view, sent):
            return make_response(game_page(view, Answer(done=played)))
        match error:
            case StaleTurn() if sent is NOTHING:
                return make_response(game_page(view, Answer(trouble=view.words(MOVED_ON))), 412)
            case StaleTurn():
                return make_response(game_page(view, Answer(sent=sent, stale=error.seen or head.version)), 412)
            case NotSaid():
                said = request.form.get("text", "")
                return make_response(game_page(view, Answer(trouble=view.words(error.message), line=said)), 422)
            case RuleViolation() | OrderNotUnderstood() if sent is not NOTHING:
                return make_response(game_page(view, Answer(sent=sent, refusal=refusal_of(view, error))), 422)
            case RuleViolation() | OrderNotUnderstood():
                trouble = view.words_with_names(error.message)
                return make_response(game_page(view, Answer(trouble=trouble, note=request.form.get("note"))), 422)
    raise error


def _to(address: str) -> Response:
    return make_response(redirect(address, 303))


def _claim() -> idempotency.Claim | None:
    """The form's key with a digest of all that it holds besides, for what was changed on the way back is another form;
    None for a form without a key that could be one."""
    key = request.form.get(KEY, "")
    fields = sorted(
        (name, value) for name, value in request.form.items(multi=True) if name not in (KEY, ONLY_ASKS, "csrf")
    )
    form = hashlib.sha256(urlencode(fields).encode()).hexdigest()
    try:
        return idempotency.claim(member().id, f"{form}.{key}" if key else "", request.method, request.path, b"")
    except ValueError:
        return None
