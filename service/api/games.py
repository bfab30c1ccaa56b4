"""Tables: the lobby, opening one, sitting down, starting, and the position as the caller may see it."""

from dataclasses import dataclass
from typing import Any, get_args

from flask import Response, g, url_for
from flask.views import MethodView
from marshmallow import EXCLUDE, Schema, fields, validate

from domain.engine.bots import Bot
from domain.engine.game import Seat
from domain.rulesets import RULESETS
from domain.table.state import Reason
from domain.table.undo import Past
from service.api.bots import BotSchema, BotsField, SeatedBotSchema
from service.api.http.answers import answer, page, read_cursor
from service.api.http.auth import refuse_strangers, services, signed_in, watched
from service.api.http.blueprint import Resource
from service.api.http.keeping import kept
from service.api.http.preconditions import note_made_of, unchanged, version_tag
from service.api.http.reading import (
    Flag,
    Moment,
    OptionsField,
    PageQuery,
    QueryFlag,
    QueryNumber,
    Strict,
    WholeNumber,
    is_id,
    refuse,
)
from service.api.http.writing import writes
from service.api.players import EMAIL, NAME, EmailField, NameField
from service.clocks.policy import policy
from service.games import bots, game_lists, history_queries, open_tables, play
from service.games.game_lists import Result
from service.games.outcomes import Moved
from service.games.seat_names import names_at
from service.games.views import for_the_host, position, position_then, state_document
from service.kernel.clock import text
from service.mail import deliverability
from service.people.searching import words_of
from service.people.visibility import NoSuchPlayer, sight_of
from service.store.database import Connection
from service.store.event_store.streams import Head, NoSuchGame
from service.store.games.game_filters import Wanted
from service.store.games.game_rows import Order
from service.store.games.glances import glance

bp = Resource("games", description="Tables: lobby, seats, positions")
TAGGED = 'the version, for If-Match; of what GET answers with its digest, which changes with every byte: "17.<SHA-256>"'
TAG = {"ETag": {"schema": {"type": "string"}, "description": TAGGED, "required": True}}
TABLE_NAME = NAME | {"description": "the name of the table, which all who may see the game see"}
LOCATION = {"Location": {"schema": {"type": "string"}, "description": "where the game is", "required": True}}

PICTURE = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"}
"""A picture opened by itself loads nothing and runs nothing (S-27)."""


class ClockSchema(Strict):
    """The clock policy (DESIGN 7): durations in ISO 8601."""

    per_move = fields.String(validate=validate.Length(1, 40), metadata={"example": "P3D"})
    grace = fields.String(validate=validate.Length(1, 40), metadata={"example": "PT10M"})
    reminders = fields.List(fields.String(validate=validate.Length(1, 40)), metadata={"example": ["P1D", "PT6H"]})
    on_timeout = fields.String(validate=validate.OneOf(["caretaker", "pause"]))
    strikes = WholeNumber()
    bank = fields.String(validate=validate.Length(1, 40))
    increment = fields.String(validate=validate.Length(1, 40))
    weekends = fields.String(validate=validate.OneOf(["count", "skip"]))
    quiet_hours = Flag()
    leave_days = WholeNumber()


class OpeningSchema(Strict):
    """A table to be opened."""

    ruleset = fields.String(
        required=True, validate=validate.OneOf(list(RULESETS)), metadata={"example": next(iter(RULESETS))}
    )
    seats = WholeNumber(
        load_default=None,
        allow_none=True,
        metadata={"example": 3, "description": "null for one each for you, all you invite, and the bots"},
    )
    options = OptionsField(load_default=dict)
    clock = fields.Nested(ClockSchema, load_default=dict)
    invite = fields.List(EmailField(metadata=EMAIL), load_default=list)
    public = Flag(load_default=True)
    bots = BotsField()
    name = NameField(load_default=None, allow_none=True, metadata=TABLE_NAME | {"example": "Smoke-filled room"})
    nonce = fields.String(load_default=None, metadata={"description": "the opener's share in the draws"})


class NamingSchema(Strict):
    """The name of a table."""

    name = NameField(
        required=True,
        allow_none=True,
        metadata=NAME | {"example": "Smoke-filled room", "description": "null for the name the table has of itself"},
    )


class ResigningSchema(Strict):
    """Consent to resign."""

    confirm = fields.Boolean(
        required=True,
        truthy={True},
        falsy={False},
        validate=validate.Equal(True, error="Say true: a resignation cannot be taken back."),
        metadata={"description": "true: a resignation cannot be taken back", "enum": [True]},
    )


class SittingSchema(Strict):
    """Sitting down."""

    nonce = fields.String(
        load_default=None, metadata={"description": "your share in the draws: 16-64 of [0-9A-Za-z_-]"}
    )


class LobbyQuery(PageQuery):
    """Which games."""

    status = fields.String(validate=validate.OneOf(["open", "running", "finished", "abandoned"]))
    mine = QueryFlag()
    awaiting = fields.String(validate=validate.OneOf(["me"]))
    ruleset = fields.String(validate=validate.OneOf(list(RULESETS)))
    player = fields.String(
        validate=validate.Length(1, 64),
        metadata={"description": "somebody who sits there; if not with `mine`, somebody who shows you their games"},
    )
    result = fields.String(
        validate=validate.OneOf(get_args(Result)), metadata={"description": "of your own finished games"}
    )
    seats = QueryNumber(validate=validate.Range(1, 20))
    bots = fields.String(validate=validate.OneOf(["with", "without"]))
    search = fields.String(
        validate=validate.Length(1, 100),
        metadata={
            "description": "words that begin one of the game's title, or are in the names of players who show you "
            "which games they play"
        },
    )
    order = fields.String(
        load_default="opened",
        validate=validate.OneOf(get_args(Order)),
        metadata={"description": "newest first by when they were opened, or by when they moved last"},
    )


class VersionQuery(Strict):
    """Which version."""

    version = QueryNumber(validate=validate.Range(1, 10**9))


class PictureQuery(VersionQuery):
    """Which version, and for what the picture is."""

    use = fields.String(
        data_key="for",
        validate=validate.OneOf(["mail", "page"]),
        metadata={
            "description": "`page`: the map alone, each place with an id and a name; else the whole board, as in mails"
        },
    )


class MomentQuery(VersionQuery):
    """Which version, and at what moment."""

    at = Moment(metadata={"description": "a moment at which `version` could be told; its own if left out"})


class DaysSchema(Schema):
    """Days, both ends included."""

    from_ = fields.String(data_key="from", required=True, metadata={"example": "2026-12-24"})
    to = fields.String(required=True)


class SeatSchema(Schema):
    """One seat."""

    seat = fields.Integer(required=True)
    status = fields.String(required=True, validate=validate.OneOf(["empty", "taken", "vacant", "bot"]))
    player = fields.String(required=True, allow_none=True)
    name = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "null for an empty seat and a former player, who had everything erased; a bot is called by "
            "its pawn, strength and temper, as “Yellow (bot 2, patient)”"
        },
    )
    bot = fields.Nested(
        SeatedBotSchema,
        required=True,
        allow_none=True,
        metadata={"description": "which bot plays the seat; null where none does"},
    )
    strikes = fields.Integer(required=True)
    away = fields.Nested(
        DaysSchema,
        allow_none=True,
        metadata={
            "description": "the present or next leave, by the zone they live in now, where the game allows leave"
        },
    )
    mail = fields.String(
        validate=validate.OneOf(["off", "undeliverable"]),
        metadata={"description": "where the player gets no mail about the game; told to who opened the table alone"},
    )


class GameSummarySchema(Schema):
    """A game in a list."""

    id = fields.String(required=True)
    name = fields.String(required=True, metadata=TABLE_NAME)
    ruleset = fields.String(required=True)
    status = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    public = fields.Boolean(required=True)
    created_at = fields.String(required=True)
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    blocked = fields.List(
        fields.String(),
        metadata={"description": "whom of those there you have blocked: you cannot sit down; else missing"},
    )


class LobbySchema(Schema):
    """A page of games, newest first."""

    items = fields.List(fields.Nested(GameSummarySchema), required=True)
    next = fields.String(required=True, allow_none=True)


class YouSchema(Schema):
    """The caller at this table."""

    seat = fields.Integer(required=True)
    awaited = fields.Boolean(required=True)
    decision = fields.String(required=True, allow_none=True)
    due = fields.String(required=True, allow_none=True)


class ProposalSchema(Schema):
    """What a seat asks others to agree to."""

    what = fields.String(required=True, validate=validate.OneOf(["rewind", "pause", "resume", "extend"]))
    seat = fields.Integer(required=True, metadata={"description": "who proposed it"})
    version = fields.Integer(required=True, metadata={"description": "the event that did"})
    to = fields.Integer(
        required=True, allow_none=True, metadata={"description": "rewind: the event after which the game shall stand"}
    )
    reason = fields.String(required=True, allow_none=True, validate=validate.OneOf([*get_args(Reason), None]))
    seconds = fields.Integer(required=True, allow_none=True, metadata={"description": "pause, extend: how long"})
    asked = fields.List(fields.Integer(), required=True)
    agreed = fields.List(fields.Integer(), required=True)


class GameSchema(Schema):
    """The position as the caller may see it."""

    class Meta:
        unknown = EXCLUDE

    id = fields.String(required=True)
    name = fields.String(required=True, metadata=TABLE_NAME)
    ruleset = fields.String(required=True)
    options = fields.Dict(required=True)
    public = fields.Boolean(required=True)
    host = fields.String(required=True)
    status = fields.String(required=True)
    version = fields.Integer(required=True)
    hash = fields.String(required=True)
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    awaiting = fields.List(fields.Integer(), required=True)
    clock = fields.Dict(required=True, metadata={"description": "the policy, and `deadlines` by seat"})
    paused = fields.Boolean(required=True, metadata={"description": "nobody's time runs"})
    proposal = fields.Nested(ProposalSchema, required=True, allow_none=True)
    state = fields.Dict(
        required=True, allow_none=True, metadata={"description": "the ruleset's document (TH-16.3, CH-18)"}
    )
    you = fields.Nested(YouSchema, required=True, allow_none=True)


KEPT = ("status", "awaiting", "ruleset", "player", "result", "order", "seats", "bots", "search")
"""What the link to the next page asks for again."""


@bp.route("/games")
class Games(MethodView):
    """The lobby."""

    @watched
    @bp.arguments(LobbyQuery, location="query")
    @bp.response(200, LobbySchema)
    @bp.problems(403, 404)
    def get(self, query: dict[str, Any]) -> Response:
        """Games, newest first: public ones and, with a token, my own."""
        if g.player is None and (query["mine"] or query.get("awaiting") or query.get("result")):
            refuse_strangers()
        with services().database.read() as connection:
            if "player" in query:
                _require_shown(connection, query["player"], mine=query["mine"])
            items, after = game_lists.lobby(
                connection,
                g.player,
                status=query.get("status"),
                mine=query["mine"],
                awaiting_me=query.get("awaiting") == "me",
                after=_after(query.get("cursor")),
                limit=query["limit"],
                ruleset=query.get("ruleset"),
                beside=query.get("player"),
                result=query.get("result"),
                order=query["order"],
                wanted=_wanted(connection, query),
            )
        keep = {name: query.get(name) for name in KEPT} | {"mine": "true" if query["mine"] else None}
        return page(items, after, limit=query["limit"], **keep)

    @signed_in
    @bp.arguments(OpeningSchema)
    @bp.response(201, GameSchema, headers=TAG | LOCATION)
    @bp.problems(409, 422)
    @writes
    def post(self, wanted: dict[str, Any], tx: Connection) -> Response:
        """Open a table; the opener takes seat 0."""
        kind = wanted.pop("ruleset")
        return _answer_created(tx, play.open_game(services(), tx, g.player, kind=kind, **wanted))


@bp.route("/games/<string:game>")
class Game(MethodView):
    """One game."""

    @watched
    @bp.arguments(MomentQuery, location="query")
    @bp.response(200, GameSchema, headers=TAG)
    @bp.problems(404, 422)
    @bp.conditional
    def get(self, query: dict[str, Any], game: str) -> Response:
        """Show the position as I may see it now; or with `version` as I could see it when that event had been recorded.

        A past position is what was told then, from the seat I had then: what was opened later stays shut in it, also
        when the game is over. But people are called what they are called now, and nothing is said about their mail.
        Deadlines are those that the events up to it tell: whatever moves one is an event. Leave is as it was announced
        then or, with `at`, at a moment since. Which leave is the present one is said by the zone its player lives in
        now.
        """
        version, at = query.get("version"), query.get("at")
        with services().database.read() as connection:
            if version is None and at is None:
                return _present(connection, game)
            head, seat = play.look(services(), connection, game, g.player)
            if version is None:
                bp.refuse(422, "bad-moment", "Name a version beside “at”, which says when you were told of it.")
            shown, seat = then(connection, head, version)
            document = position_then(connection, shown, seat, past_of(connection, shown), _moment(shown, at))
        return answer(document, headers=version_tag(there(head, version)) | kept(head, version))


@bp.route("/games/<string:game>/name")
class TableName(MethodView):
    """The name of the table."""

    @signed_in
    @bp.arguments(NamingSchema)
    @bp.response(200, GameSchema, headers=TAG)
    @bp.problems(403, 404, 409, 422)
    @writes
    def put(self, wanted: dict[str, Any], game: str, tx: Connection) -> Response:
        """Rename the table, before its game, during it or after it; for the host."""
        head = open_tables.rename(services(), tx, game, g.player, wanted["name"])
        return answer(position(tx, head, head.table.eyes_of(g.player)), headers=version_tag(head.version))


@bp.route("/games/<string:game>/seats")
class Seats(MethodView):
    """Sitting down."""

    @signed_in
    @bp.arguments(SittingSchema, required=False)
    @bp.response(201, GameSchema, headers=TAG | LOCATION)
    @bp.problems(404, 409, 422)
    @writes
    def post(self, wanted: dict[str, Any], game: str, tx: Connection) -> Response:
        """Take a free seat, or take over a vacant one; a full table starts."""
        return _answer_created(tx, play.take_seat(services(), tx, game, g.player, wanted["nonce"]))


@bp.route("/games/<string:game>/seats/me")
class MySeat(MethodView):
    """Standing up."""

    @signed_in
    @bp.response(200, GameSchema)
    @bp.problems(403, 404, 409)
    @writes
    def delete(self, game: str, tx: Connection) -> Response:
        """Stand up before the start."""
        return _answer(tx, play.leave_seat(services(), tx, game, g.player))


@bp.route("/games/<string:game>/resignation")
class Resignation(MethodView):
    """Resigning."""

    @signed_in
    @bp.arguments(ResigningSchema)
    @bp.response(200, GameSchema, headers=TAG)
    @bp.problems(403, 404, 409, 412, 422)
    @writes
    def post(self, wanted: dict[str, Any], game: str, tx: Connection) -> Response:
        """Resign from a running game, for good.

        The caretaker plays the seat at once, until a bot or a newcomer takes it over; you cannot take it back. A
        sealed bid stands; standing orders are withdrawn. If one person and no bot is left, the game is over and that
        person wins, with the scores as they stand.
        """
        return _answer(tx, play.resign(services(), tx, game, g.player))


@bp.route("/games/<string:game>/seats/<int:seat>/bot")
class SeatOfBot(MethodView):
    """The bot on a seat."""

    @signed_in
    @bp.arguments(BotSchema, required=False)
    @bp.response(200, GameSchema, headers=TAG)
    @bp.problems(403, 404, 409, 422)
    @writes
    def put(self, bot: Bot, game: str, seat: int, tx: Connection) -> Response:
        """Let a bot play a free seat, a vacant one, or in the place of another bot; for the host.

        A bot of strength 1 to 3 thinks before it plays; one of strength 0 plays at once what the caretaker would.
        Who had left a vacant seat has it no more: send the bot away, and they can sit down again, as anybody can.
        """
        return _answer(tx, bots.seat_bot(services(), tx, game, g.player, seat, bot))

    @signed_in
    @bp.response(200, GameSchema, headers=TAG)
    @bp.problems(403, 404, 409)
    @writes
    def delete(self, game: str, seat: int, tx: Connection) -> Response:
        """Send a bot away; for the host.

        Its seat is free before the start, and vacant after it: anybody may take it over who may sit at the table, and
        the caretaker plays meanwhile.
        """
        return _answer(tx, bots.send_bot_away(services(), tx, game, g.player, seat))


@bp.route("/games/<string:game>/start")
class Start(MethodView):
    """Starting."""

    @signed_in
    @bp.response(200, GameSchema)
    @bp.problems(403, 404, 409, 422)
    @writes
    def post(self, game: str, tx: Connection) -> Response:
        """Begin with whoever sits there; for the host."""
        return _answer(tx, play.start_game(services(), tx, game, g.player))


@bp.route("/games/<string:game>/board")
class Board(MethodView):
    """The board as text."""

    @watched
    @bp.arguments(VersionQuery, location="query")
    @bp.response(200, {"type": "string"}, content_type="text/plain", description="The board as plain text")
    @bp.problems(404)
    @bp.conditional
    def get(self, query: dict[str, Any], game: str) -> Response:
        """The board as plain text, as I may see it."""
        with services().database.read() as connection:
            shown = _state(connection, game, query.get("version"))
        board = shown.head.rules.presentation.board
        text = board(shown.document) if shown.document else "The game has not started.\n"
        return Response(text, content_type="text/plain; charset=utf-8", headers=shown.headers)


@bp.route("/games/<string:game>/board.svg")
class BoardSvg(MethodView):
    """The board as a picture."""

    @watched
    @bp.arguments(PictureQuery, location="query")
    @bp.response(200, {"type": "string"}, content_type="image/svg+xml", description="The board as a picture")
    @bp.problems(404)
    @bp.conditional
    def get(self, query: dict[str, Any], game: str) -> Response:
        """The board as a picture, as I may see it."""
        picture, shown = _picture(game, query.get("version"), for_page=query.get("use") == "page")
        return Response(picture, content_type="image/svg+xml; charset=utf-8", headers=PICTURE | shown.headers)


@bp.route("/games/<string:game>/board.png")
class BoardPng(MethodView):
    """The board as a picture made of pixels."""

    @watched
    @bp.arguments(VersionQuery, location="query")
    @bp.response(
        200,
        {"type": "string", "format": "binary"},
        content_type="image/png",
        description="The board as a picture 600 pixels wide",
    )
    @bp.problems(404)
    @bp.conditional
    def get(self, query: dict[str, Any], game: str) -> Response:
        """The board as a picture made of pixels, as I may see it."""
        from service.games.shared_pictures import shared_png

        picture, shown = _picture(game, query.get("version"))
        drawn = shared_png(services(), game, shown.seat, picture)
        return Response(drawn, content_type="image/png", headers=PICTURE | shown.headers)


def _present(connection: Connection, game: str) -> Response:
    """The position as it is now; where the client has that very answer, its state is not even opened.

    All else that it is made of is in the glance, but leave, which begins and ends by the clock.
    """
    seen = glance(connection, game, g.player)
    if seen is None:
        raise NoSuchGame(game)
    amiss = deliverability.without_mail(connection, game) if seen.host == g.player else None
    made_of = (game, g.player, seen, None if amiss is None else tuple(amiss.items()))
    if (same := unchanged(made_of)) is not None:
        return same
    head = services().streams.head(connection, game)
    stands = (head.version, head.hash) == (seen.version, seen.hash)
    document = position(connection, head, head.table.eyes_of(g.player), rows=seen.sitting if stands else None)
    if amiss is not None:
        document = for_the_host(document, amiss)
    if stands and not policy(head.table.clock).leave_days:
        note_made_of(made_of)
    return answer(document, headers=version_tag(head.version))


@dataclass(frozen=True, slots=True)
class _Shown:
    """A game as the caller may see it: from which seat, the ruleset's document, None before the start, and the headers
    of an answer."""

    head: Head
    seat: Seat | None
    document: dict[str, Any] | None
    headers: dict[str, str]


def _picture(game: str, version: int | None, *, for_page: bool = False) -> tuple[str, _Shown]:
    """The picture of a game as the caller may see it, and what it shows."""
    from service import pictures  # what draws is large: a process that never draws starts without it
    from service.pictures import page

    with services().database.read() as connection:
        shown = _state(connection, game, version)
    rules, document = shown.head.rules, shown.document
    title = rules.presentation.title
    if document is None:
        return pictures.unstarted_svg(title), shown
    if for_page and pictures.has_drawing(rules.kind):
        return page.page_document(rules.kind, document, page.page_people(rules.kind, document)), shown
    return pictures.board_svg(rules.kind, document, title), shown


def _state(connection: Connection, game: str, version: int | None) -> _Shown:
    """A game now or at a past version.

    For the eye: people are called what they typed. Their handles are in the position as JSON.
    """
    head, _ = play.look(services(), connection, game, g.player)
    past, seat = then(connection, head, version or head.version)
    document = state_document(past.table, past, seat, names_at(connection, past.table), typed=False)
    return _Shown(past, seat, document, version_tag(past.version) | kept(head, version))


def _moment(head: Head, at: int | None) -> int | None:
    """A moment at which somebody could be told of a past head; else 422."""
    if at is not None and not head.last_at <= at <= head.now:
        since = f"Version {head.version} was recorded at {text(head.last_at)}"
        bp.refuse(422, "bad-moment", f"{since}: name that moment or a later one that has passed.")
    return at


def then(connection: Connection, head: Head, version: int) -> tuple[Head, Seat | None]:
    """A past head as the caller could see it, and the seat they had then; 404 for an event there is not."""
    shown = history_queries.then(services(), connection, head, g.player, there(head, version))
    assert shown is not None, "the event is there"
    return shown


def past_of(connection: Connection, head: Head) -> list[Past]:
    """Return the events up to a head, each with its actor."""
    return services().streams.history(connection, head.game, head.rules, head.version)


def there(head: Head, version: int | None) -> int:
    """A version that is there, the present one if none is named; else 404."""
    if version is not None and version > head.version:
        bp.refuse(404, "no-such-version", f"The game has versions 1 to {head.version}.")
    return version or head.version


def _answer_created(tx: Connection, moved: Moved) -> Response:
    response = _answer(tx, moved, 201)
    response.headers["Location"] = url_for("games.Game", game=moved.head.game)
    return response


def _answer(tx: Connection, moved: Moved, status: int = 200) -> Response:
    head = moved.head
    return answer(position(tx, head, head.table.eyes_of(g.player)), status, headers=version_tag(head.version))


def _require_shown(connection: Connection, player: str, *, mine: bool) -> None:
    """Refuse to list the games of somebody who does not show them to the caller, but for those of the caller's own.

    Raises NoSuchPlayer.
    """
    if not is_id(player):
        raise NoSuchPlayer(player)
    if not mine and not sight_of(connection, player, g.player).sees("games"):
        refuse("They do not show you which games they play.", "not-shown", 403)


def _wanted(connection: Connection, query: dict[str, Any]) -> Wanted:
    has_bots = {"with": True, "without": False}.get(query.get("bots", ""))
    return Wanted(query.get("seats"), has_bots, words_of(connection, query.get("search", ""), g.player))


def _after(cursor: str | None) -> tuple[int, str] | None:
    if cursor is None:
        return None
    try:
        created, game = read_cursor(cursor)
    except (ValueError, TypeError):
        created, game = None, ""
    if type(created) is not int or not 0 <= created < 2**63 or not isinstance(game, str) or not is_id(game):
        refuse("This is no cursor of ours: leave it out to begin again.", "bad-cursor")
    return created, game
