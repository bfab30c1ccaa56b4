"""Exceptions of the services as problems: each exception its status, code and sentence (STYLE, T-60, S-37)."""

from collections.abc import Callable
from typing import Any, Final

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import ClientDisconnected

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.history.codec import UnknownSchema
from service.accounts.idempotency import KeyReused
from service.accounts.sign_in import BadCode
from service.accounts.suspension import Suspended
from service.api.http.problems import problem
from service.api.http.scopes import TooFewScopes
from service.container import Services
from service.games.long_poll import NoRoom, TooManyWaiting
from service.games.outcomes import NotSaid
from service.games.play import NotSeated
from service.games.reader_view import ReaderView
from service.games.rule_links import rule_url
from service.integrity.alarm import suspect
from service.integrity.halt import may_hear
from service.kernel.clock import text
from service.kernel.encryption import Unreadable
from service.kernel.log import log
from service.people.visibility import NoSuchPlayer
from service.privacy.erase import is_nobody
from service.store.clocks.halted import GameHalted
from service.store.database import OutcomeUnknown
from service.store.errors import DatabaseError, IntegrityError, is_garbled, is_unavailable, sqlstate
from service.store.event_store.checkpoints import StrangeKey, Unsigned
from service.store.event_store.streams import NoSuchGame, StaleTurn
from service.store.running.turns import TooManyAtOnce

WRONG_TIME: Final = frozenset(
    "wrong-phase not-your-turn game-over not-started already-started already-seated table-full seat-vacant "
    "nothing-to-undo needs-consent proposal-open no-proposal own-proposal already-answered already-paused "
    "not-paused too-many-open-tables too-many-bot-tables seat-taken no-bot bot-thinks game-running "
    "analysis-running no-analysis-running nothing-played blocked-by-you "
    "delivery-waits webhook-is-off player-resigned address-has-account too-many-guests".split()
)
STATUS: Final = {
    400: frozenset({"unknown-player"}),  # a name that nobody has, as in a line of notation that cannot be read
    403: frozenset({"not-host", "not-seated", "not-asked", "not-your-analysis", "not-open-to-you"}),
    404: frozenset({"no-such-seat", "no-analysis", "no-such-delivery"}),
    409: WRONG_TIME,
    410: frozenset({"delivery-not-kept"}),
}
OF_TALK: Final = {
    "no-such-message": 404, "already-shown": 409, "talk-over": 409, "not-started": 409, "too-many-lines": 429,
}  # fmt: skip
LOG: Final = "wardroom.api"


def handle_errors(app: Flask) -> None:
    """Answer every exception of the services, and any other, as a problem: no bare 500, ever (S-37)."""
    for kind, answer in ANSWERS.items():
        app.register_error_handler(kind, answer)


def _refused(error: RuleViolation) -> Response:
    status = next((status for status, codes in STATUS.items() if error.code in codes), 422)
    return problem(status, error.code, _calling_by_names(error), **_rule(error))


def _rule(error: RuleViolation | OrderNotUnderstood) -> dict[str, Any]:
    """The rule that a refusal follows, and where it is read, if it is one of a game."""
    return {"rule": error.rule} | rule_url(current_app.extensions["wardroom"].settings.base_url, error.rule)


def _calling_by_names(error: RuleViolation) -> str:
    """The sentence of a refusal with the players' names for their pawns, but for what says which pawns to type.

    Where the names cannot be read any more it is the sentence as it is: what was refused stays refused.
    """
    game = (request.view_args or {}).get("game")
    if game is None or error.code in STATUS[400]:
        return error.message
    services: Services = current_app.extensions["wardroom"]
    try:
        with services.database.read() as connection:
            head = services.streams.head(connection, game)
            return ReaderView(services, connection, head, None).words_with_names(error.message)
    except (NoSuchGame, GameHalted, DatabaseError):
        return error.message


def _not_understood(error: OrderNotUnderstood) -> Response:
    more: dict[str, Any] = {"line": error.line} if error.line else {}
    return problem(400, error.code, error.message, **_rule(error), **more)


def _no_game(error: NoSuchGame) -> Response:
    return problem(404, "no-such-game", "There is no such game, or it is not yours to see.")


def _cut_off(error: ClientDisconnected) -> Response:
    """RFC 9110 15.5.9: the server ends the connection as well."""
    return problem(408, "request-timeout", "The body of your request did not arrive: send it whole, without a pause.")


def _no_player(error: NoSuchPlayer) -> Response:
    return problem(404, "no-such-player", "There is no such player, or nothing about them is yours to see.")


def _not_seated(error: NotSeated) -> Response:
    return problem(403, "not-seated", "You do not sit at this table: take a seat first, if one is free.")


def _reused(error: KeyReused) -> Response:
    detail = "This Idempotency-Key was used with another request: make a new one."
    return problem(422, "idempotency-key-reused", detail)


def _suspended(error: Suspended) -> Response:
    until = None if error.until is None else text(error.until)
    detail = "The operator of this service keeps you out" + (f" until {until[:16]} UTC." if until else ".")
    detail += f" The reason given: {error.why}" if error.why else ""
    return problem(403, "suspended", detail, until=until, why=error.why)


def _too_few_scopes(error: TooFewScopes) -> Response:
    detail = f"This token is not for that: it needs the scope “{error.scope}”, and has “{error.held}”."
    shown = f'Bearer realm="wardroom", error="insufficient_scope", scope="{error.scope}"'
    return problem(403, "insufficient-scope", detail, headers={"WWW-Authenticate": shown}, scope=error.scope)


def _bad_code(error: BadCode) -> Response:
    detail = "This address and code do not fit, or the code is used up or of another request: ask for a new one."
    return problem(401, "bad-code", detail, headers={"WWW-Authenticate": "Bearer"})


def _halted(error: GameHalted) -> Response:
    services: Services = current_app.extensions["wardroom"]
    with services.database.read() as connection:
        if not may_hear(connection, error.game, g.get("player")):
            return _no_game(NoSuchGame(error.game))
    why = f"This game is stopped, as its records do not verify ({error.reason})"
    detail = f"{why} The operator has an alarm. Its clocks stand meanwhile; all other games go on. Look again later."
    return problem(503, "game-halted", detail, headers={"Retry-After": "3600"})


def _stopped(error: Exception) -> Response | None:
    """The answer where the game that was asked about is what is wrong: it is looked at, and stopped."""
    game = (request.view_args or {}).get("game")
    reason = suspect(current_app.extensions["wardroom"], game, error)
    return None if game is None or reason is None else _halted(GameHalted(game, reason))


def _unreadable(error: Unreadable) -> Response:
    log(LOG, "error", "sealed data cannot be opened", reason=str(error))
    detail = "This game cannot be opened now; the host is told."
    return _stopped(error) or problem(503, "sealed", detail, headers={"Retry-After": "60"})


def _unsigned(error: Unsigned) -> Response:
    log(LOG, "error", "an event was not signed", reason=str(error))
    detail = f"Event {error.version} was not signed when it was made, and cannot be now: ask for the newest checkpoint."
    return _stopped(error) or problem(503, "unsigned", detail, headers={"Retry-After": "3600"})


def _strange_key(error: StrangeKey) -> Response:
    log(LOG, "error", "the key at hand is not this database's", reason=str(error))
    detail = "The service has another secret key than its records, so nothing is done with them; the host is told."
    return problem(503, "strange-key", detail, headers={"Retry-After": "3600"})


def _too_new(error: UnknownSchema) -> Response:
    log(LOG, "error", "an event of a later version", reason=str(error))
    return _stopped(error) or problem(503, "too-new", f"{error}", headers={"Retry-After": "3600"})


def _database(error: Exception) -> Response:
    if not (is_unavailable(error) or is_garbled(error) or isinstance(error, OutcomeUnknown)):
        return _unforeseen(error)
    if (stopped := _stopped(error)) is not None:
        return stopped
    log(LOG, "error", "database unavailable", error=type(error).__name__, sqlstate=sqlstate(error))
    detail = f"The database does not answer. {_again('It is not known what was done: repeat it')}"
    return problem(503, "unavailable", detail, headers={"Retry-After": "2"})


def _again(what: str) -> str:
    """What to do after a fault: a request that only reads changes nothing, and takes no key."""
    return "Ask again." if request.method in ("GET", "HEAD") else f"{what} with the same Idempotency-Key."


def _met(error: IntegrityError) -> Response:
    log(LOG, "warning", "two requests met", sqlstate=sqlstate(error), path=request.path)
    detail = "Another request did the same at the same moment, so nothing was done here: repeat yours."
    return problem(503, "met-another", detail, headers={"Retry-After": "1"})


def _one_at_a_time(error: TooManyAtOnce) -> Response:
    detail = "An audit or a bundle is being made for you already: wait for that, and keep what it says as ETag."
    return problem(429, "too-many-at-once", detail, headers={"Retry-After": "2"})


def _waits(error: TooManyWaiting) -> Response:
    detail = "You already wait for news in as many requests as one may: wait for those, or ask without “wait”."
    return problem(429, "too-many-waiting", detail, headers={"Retry-After": "5"})


def _no_room(error: NoRoom) -> Response:
    detail = "No place for a stream is left here just now: ask without one meanwhile."
    return problem(429, "no-room", detail, headers={"Retry-After": "5"})


def _not_said(error: NotSaid) -> Response:
    headers = {"Retry-After": str(error.wait)} if error.wait else None
    return problem(OF_TALK.get(error.code, 422), error.code, error.message, headers=headers)


def _stale(error: StaleTurn) -> Response:
    detail = f"{error} Look at it again, then send your move with its new ETag."
    return problem(412, "stale", detail, version=error.version)


def _unforeseen(error: Exception) -> Response:
    if _erased_meanwhile():
        detail = "You were erased while this was under way, so it was not done: sign up to begin anew."
        return problem(401, "unauthorized", detail, headers={"WWW-Authenticate": "Bearer"})
    # neither the message nor the locals: they could hold a secret (T-64)
    named = {"error": type(error).__name__, "sqlstate": sqlstate(error)}
    log(LOG, "error", "unforeseen error", **named, path=request.path, where=_where(error))
    detail = f"Something went wrong here. {_again('Repeat the request')}"
    return _stopped(error) or problem(500, "unforeseen", detail)


def _erased_meanwhile() -> bool:
    """Whether a request fails because its player has gone since it was let in: nothing can be found about them."""
    if g.get("player") is None:
        return False
    try:
        with current_app.extensions["wardroom"].database.read() as connection:
            return is_nobody(connection, g.player)
    except DatabaseError:
        return False


def _where(error: BaseException) -> list[str]:
    trace, lines = error.__traceback__, []
    while trace is not None:
        lines.append(f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}")
        trace = trace.tb_next
    return lines[-6:]


ANSWERS: Final[dict[type[Exception], Callable[[Any], Response]]] = {
    RuleViolation: _refused,
    OrderNotUnderstood: _not_understood,
    NoSuchGame: _no_game,
    NotSeated: _not_seated,
    NoSuchPlayer: _no_player,
    KeyReused: _reused,
    BadCode: _bad_code,
    Suspended: _suspended,
    TooFewScopes: _too_few_scopes,
    Unreadable: _unreadable,
    Unsigned: _unsigned,
    StrangeKey: _strange_key,
    UnknownSchema: _too_new,
    GameHalted: _halted,
    OutcomeUnknown: _database,
    DatabaseError: _database,
    IntegrityError: _met,
    TooManyWaiting: _waits,
    NoRoom: _no_room,
    TooManyAtOnce: _one_at_a_time,
    NotSaid: _not_said,
    StaleTurn: _stale,
    ClientDisconnected: _cut_off,
    Exception: _unforeseen,
}
