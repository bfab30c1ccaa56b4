"""People as others see them, what one shows of oneself, and whom one mutes and blocks."""

from typing import Any, get_args

from flask import Response, g
from flask.views import MethodView
from marshmallow import Schema, fields, validate

from service.accounts import avoidance
from service.api.http.answers import answer
from service.api.http.auth import services, signed_in, watched
from service.api.http.blueprint import Resource
from service.api.http.reading import Strict, is_id
from service.api.http.writing import writes
from service.kernel.clock import text
from service.people import choices
from service.people.languages import MOST, SPOKEN
from service.people.profile import Games, Opponent, Profile, Tally, profile_of
from service.people.visibility import NoSuchPlayer, sight_of
from service.store.across.careers import Answers
from service.store.database import Connection
from service.store.people import avoided, profiles
from service.store.people.profiles import PARTS, Audience, Shown

bp = Resource("people", description="People: profiles as their owners show them; muting and blocking")
HIDDEN = "null where it is not shown to you"


class TallySchema(Schema):
    """Finished games."""

    finished = fields.Integer(required=True)
    won = fields.Integer(required=True)


class GamesSchema(Schema):
    """Games at tables of people, those of them you may see; games against bots alone count apart."""

    open = fields.Integer(required=True)
    running = fields.Integer(required=True)
    abandoned = fields.Integer(required=True)
    with_people = fields.Nested(TallySchema, required=True)
    against_bots = fields.Nested(TallySchema, required=True)
    rulesets = fields.Dict(required=True, keys=fields.String(), values=fields.Nested(TallySchema))


class ReliabilitySchema(Schema):
    """Answers asked for by the clock within a year, at tables of people, that are not owed any more."""

    asked = fields.Integer(required=True)
    missed = fields.Integer(required=True, metadata={"description": "not given in time, as the clock reckoned it"})
    by_caretaker = fields.Integer(required=True, metadata={"description": "of these, those the caretaker gave"})


class OpponentSchema(Schema):
    """Somebody they have finished games with."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    games = fields.Integer(required=True)
    own_wins = fields.Integer(required=True, metadata={"description": "won by the person whose profile it is"})
    their_wins = fields.Integer(required=True, metadata={"description": "won by the opponent"})


class PersonSchema(Schema):
    """A person, as far as they show it to you."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    joined = fields.String(required=True, allow_none=True, metadata={"description": HIDDEN, "example": "2026-11"})
    languages = fields.List(fields.String(), required=True, allow_none=True, metadata={"description": HIDDEN})
    games = fields.Nested(GamesSchema, required=True, allow_none=True, metadata={"description": HIDDEN})
    reliability = fields.Nested(ReliabilitySchema, required=True, allow_none=True, metadata={"description": HIDDEN})
    together = fields.Nested(
        OpponentSchema,
        required=True,
        allow_none=True,
        metadata={"description": "you as their opponent; null as well where you never met"},
    )
    opponents = fields.List(
        fields.Nested(OpponentSchema),
        required=True,
        allow_none=True,
        metadata={"description": f"those who show you their games, too; {HIDDEN}"},
    )


def _audience() -> Any:
    return fields.String(validate=validate.OneOf(get_args(Audience)))


ShownSchema: Any = Strict.from_dict(
    {part: _audience() for part in PARTS}
    | {"speaks": fields.List(fields.String(validate=validate.OneOf(list(SPOKEN))), validate=validate.Length(max=MOST))},
    name="ShownSchema",
)
"""To whom one shows which part of one's profile, and the languages one speaks."""


class HowSchema(Strict):
    """How to avoid somebody."""

    how = fields.String(
        required=True,
        validate=validate.OneOf(get_args(avoided.How)),
        metadata={"description": "mute: their talk is marked and not mailed; block: nor are you seated together"},
    )


class AvoidedSchema(Schema):
    """Somebody I mute or block."""

    player = fields.String(required=True)
    name = fields.String(required=True)
    how = fields.String(required=True, validate=validate.OneOf(get_args(avoided.How)))
    since = fields.String(required=True)


class AvoidedListSchema(Schema):
    """Whom I mute and block, by name."""

    items = fields.List(fields.Nested(AvoidedSchema), required=True)
    next = fields.String(required=True, allow_none=True)


@bp.route("/players/<string:player>")
class Person(MethodView):
    """Somebody's profile."""

    @watched
    @bp.response(200, PersonSchema)
    @bp.problems(404)
    def get(self, player: str) -> Response:
        """Somebody as they show themselves to me; 404 where they show nothing, and I meet them nowhere."""
        if not is_id(player):
            raise NoSuchPlayer(player)
        with services().database.read() as connection:
            sight = sight_of(connection, player, g.player)
            return answer(_document(profile_of(services(), connection, sight)))


@bp.route("/me/profile")
class MyProfile(MethodView):
    """What I show to others."""

    @signed_in
    @bp.response(200, ShownSchema)
    def get(self) -> Response:
        """To whom I show which part of my profile."""
        with services().database.read() as connection:
            return answer(_shown(profiles.of_player(connection, g.player)))

    @signed_in
    @bp.arguments(ShownSchema, required=False)
    @bp.response(200, ShownSchema)
    @bp.problems(422)
    @writes
    def patch(self, wanted: dict[str, Any], tx: Connection) -> Response:
        """Change it."""
        speaks = wanted.pop("speaks", None)
        return answer(_shown(choices.choose(services(), tx, g.player, wanted, speaks)))


@bp.route("/me/avoided")
class MyAvoided(MethodView):
    """Whom I mute and block."""

    @signed_in
    @bp.response(200, AvoidedListSchema)
    def get(self) -> Response:
        """Whom I mute and block. They are not told."""
        with services().database.read() as connection:
            found = avoided.of_player(connection, g.player)
        items = [
            {"player": other.other, "name": other.name, "how": other.how, "since": text(other.at)} for other in found
        ]
        return answer({"items": items, "next": None})


@bp.route("/me/avoided/<string:player>")
class MyAvoidedPlayer(MethodView):
    """Somebody I mute or block."""

    @signed_in
    @bp.arguments(HowSchema)
    @bp.response(204)
    @bp.problems(404, 422)
    @writes
    def put(self, wanted: dict[str, Any], player: str, tx: Connection) -> Response:
        """Mute or block somebody; games that we play together go on."""
        if not is_id(player):
            raise NoSuchPlayer(player)
        sight_of(tx, player, g.player)
        avoidance.avoid(services(), tx, g.player, player, wanted["how"])
        return Response(status=204)

    @signed_in
    @bp.response(204)
    @writes
    def delete(self, player: str, tx: Connection) -> Response:
        """Neither mute nor block somebody any more."""
        if is_id(player):
            avoided.remove(tx, g.player, player)
        return Response(status=204)


def _shown(shown: Shown) -> dict[str, Any]:
    return {part: getattr(shown, part) for part in PARTS} | {"speaks": shown.speaks.split()}


def _document(profile: Profile) -> dict[str, Any]:
    owner = profile.sight.owner
    return {
        "player": owner.id,
        "name": owner.name,
        "joined": profile.joined,
        "languages": profile.languages,
        "games": profile.games and _games(profile.games),
        "reliability": profile.reliability and _reliability(profile.reliability),
        "together": profile.together and _opponent(profile.together),
        "opponents": None if profile.opponents is None else [_opponent(other) for other in profile.opponents],
    }


def _games(games: Games) -> dict[str, Any]:
    return {
        "open": games.open,
        "running": games.running,
        "abandoned": games.abandoned,
        "with_people": _tally(games.with_people),
        "against_bots": _tally(games.against_bots),
        "rulesets": {kind: _tally(tally) for kind, tally in games.rulesets.items()},
    }


def _tally(tally: Tally) -> dict[str, int]:
    return {"finished": tally.finished, "won": tally.won}


def _reliability(answers: Answers) -> dict[str, int]:
    return {name: getattr(answers, name) for name in answers._fields}


def _opponent(opponent: Opponent) -> dict[str, Any]:
    return {name: getattr(opponent, name) for name in ("player", "name", "games", "own_wins", "their_wins")}
