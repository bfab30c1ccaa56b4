"""Feeds: at secret addresses for the programs of their owners, where the address is the key; and of public games."""

from typing import Final

from flask import Response, abort

from service.accounts import feeds, people
from service.accounts.suspension import require_admitted
from service.api.http.reading import is_id
from service.games import play
from service.store.event_store.streams import NoSuchGame
from service.store.people import players
from service.web.feeds import atom, personal
from service.web.feeds.atom import ATOM, CALENDAR
from service.web.feeds.of_game import game_feed
from service.web.http.forms import Pages
from service.web.http.language import language
from service.web.http.session import services

bp = Pages("feed_pages", __name__)
ANYBODY: Final = ""
FOR_ALL: Final = "public, max-age=60"
VARIES: Final = "Accept-Encoding, Accept-Language, Cookie"


@bp.get("/feeds/<string:secret>.<any(atom, ics):form>")
def mine(secret: str, form: str) -> Response:
    """What was told to a player, or when their answers are due; 404 for an address that is none, or no more."""
    with services().database.read() as connection:
        bearer = feeds.reader(connection, secret) if secret.isascii() else None
        player = None if bearer is None else players.by_id(connection, bearer.player)
        if bearer is not None and bearer.suspended:
            require_admitted(services(), connection, bearer.player)
        made = None if player is None else feeds.of_player(connection, player.id)
        if bearer is None or player is None or made is None:
            abort(404)
        if form == "ics":
            body, content_type = personal.deadline_calendar(services(), connection, player), CALENDAR
        else:
            itself = feeds.addresses(services(), secret)["atom"]
            body, content_type = atom.write(personal.news_feed(services(), connection, player, made, itself)), ATOM
    people.note_use(services().database, bearer)
    return atom.answer(body, content_type)


@bp.get("/g/<string:game>/feed.atom")
def of_game(game: str) -> Response:
    """The story of a public game; one that is not is none, also to those who sit there: readers show no session."""
    if not is_id(game):
        raise NoSuchGame(game)
    with services().database.read() as connection:
        head, _ = play.look(services(), connection, game, ANYBODY)
        if not head.table.public:
            raise NoSuchGame(game)
        body = atom.write(game_feed(services(), connection, head, language()))
    return atom.answer(body, ATOM, FOR_ALL, VARIES)
