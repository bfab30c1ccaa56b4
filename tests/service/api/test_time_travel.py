"""Past versions: what somebody was told once they are told again, byte for byte; and what changed in between."""

import random
import re
from contextlib import suppress
from datetime import timedelta
from typing import Any

import jsonpatch
import pytest

from domain.engine.refusals import RuleViolation
from service.accounts import people as players
from service.games import play, takeback
from service.kernel.clock import moment
from service.kernel.entropy import Entropy
from service.store.people import absences
from tests.domain.city_hall.playouts import choose
from tests.service.api.table import Answer, Api, ApiTable, Player
from tests.service.api.test_secrecy import alike, richest, worlds
from tests.service.api.twins import Counted, nameless
from tests.service.clock_tables import clock_tables, sqlite_clock_tables
from tests.tables import CLOCK, Tables
from tests.workers.worker_tables import manual_clock

pytestmark = pytest.mark.slow  # seconds together

__all__ = ["clock_tables", "manual_clock", "sqlite_clock_tables", "worlds"]
MINUTE = 60 * 1_000_000


class Witness:
    """A reader of a game after every change, as everybody in turn; it remembers each answer."""

    every = 1
    """One version in so many is read."""

    def __init__(self, clock_tables: Tables, game: str, *people: str) -> None:
        self.clock_tables, self.game, self.api = clock_tables, game, Api(clock_tables.services)
        self.people: dict[str, Player] = {}
        self.told: dict[tuple[str, int, str], bytes] = {}
        for name in people:
            self.knows(name)

    def knows(self, name: str) -> Player:
        if name not in self.people:
            identity = self.clock_tables.player(name)
            with self.clock_tables.services.database.write() as tx:
                token = players.make_token(self.clock_tables.services, tx, identity, "test", self.clock_tables.clock.at)
            self.people[name] = Player(name, identity, token)
        return self.people[name]

    def asks(self, name: str, below: str = "", version: int | None = None, **more: Any) -> Answer:
        query = {} if version is None else {"query_string": {"version": version}}
        return self.api.get(f"/games/{self.game}{below}", self.knows(name), **query, **more)

    def looks(self) -> None:
        """Remember what everybody is told now, if anything was recorded since."""
        version = self.clock_tables.head(self.game).version
        if version % self.every or any(known == version for _, known, _ in self.told):
            return
        for name in ["ann", *list(self.people)[1 + version // self.every % 2 :: 2]]:
            answer = self.asks(name).ok()
            assert answer.headers["ETag"] == answer.tag(version)
            self.told[name, version, ""] = answer.data
        self.told["ann", version, "/board"] = self.asks("ann", "/board").ok().data
        if version % 7 == 0:
            self.told["ann", version, "/board.svg"] = self.asks("ann", "/board.svg").ok().data

    def is_told_the_same_again(self) -> None:
        for (name, version, below), before in self.told.items():
            again = self.asks(name, below, version).ok()
            assert again.data == before, (name, version, below)
            assert again.headers["ETag"] == again.tag(version)

    def latest(self) -> int:
        return max(version for _, version, _ in self.told)


def happens(witness: Witness, chance: random.Random, step: int) -> None:
    """Something: mostly a move, and now and then what else people do at a table."""
    clock_tables, game = witness.clock_tables, witness.game
    clock_tables.advance(minutes=chance.choice([1, 10, 100, 400, 3000]))
    table = clock_tables.head(game).table
    sitting = [name for name in witness.people if table.seat_of(clock_tables.ids[name]) is not None]
    what = chance.random()
    if any(chair.vacant for chair in table.chairs) and what < 0.3:
        witness.knows(f"new{step}")
        clock_tables.sit(game, f"new{step}")
    elif what < 0.06 and not table.paused:
        clock_tables.expire(game, chance.choice(clock_tables.awaited(game)))
    elif what < 0.12:
        first = moment(clock_tables.clock.at).date() + timedelta(days=chance.randint(2, 5))
        with suppress(RuleViolation):
            clock_tables.take_leave(chance.choice(sitting), first.isoformat(), (first + timedelta(days=3)).isoformat())
    elif what < 0.16:
        clock_tables.cancel_leave(chance.choice(sitting))
    elif what < 0.20:
        with suppress(RuleViolation):
            clock_tables.agree(game, chance.choice(["pause", "resume", "extend"]), hours=5)
    elif what < 0.27:
        goes_back(witness, chance, sitting)
    else:
        seat = chance.choice(clock_tables.awaited(game))
        clock_tables.move(game, seat, move(clock_tables, game, chance, seat))


def move(clock_tables: Tables, game: str, chance: random.Random, seat: int) -> str:
    head = clock_tables.head(game)
    if head.rules.kind == "city-hall":
        return head.rules.notation.write(choose(chance, head.rules.decider.blind(head.table.game, seat), seat))
    legal = clock_tables.legal(game, seat)
    if "end" in legal and chance.random() < 0.8:
        return "end"
    kind = chance.choice(sorted({text.split()[0] for text in legal}))
    return chance.choice([text for text in legal if text.split()[0] == kind])


def goes_back(witness: Witness, chance: random.Random, sitting: list[str]) -> None:
    clock_tables, game, who = witness.clock_tables, witness.game, chance.choice(sitting)
    with suppress(RuleViolation), clock_tables.services.database.write() as tx:
        takeback.go_back(clock_tables.services, tx, game, clock_tables.ids[who])
    for name in sitting:
        proposal = clock_tables.head(game).table.proposal
        if proposal is not None and proposal.what == "rewind" and name != who:
            witness.looks()
            with suppress(RuleViolation), clock_tables.services.database.write() as tx:
                takeback.vote(clock_tables.services, tx, game, clock_tables.ids[name], chance.random() < 0.8)


def sit_down(clock_tables: Tables, kind: str, seats: int, **clock: Any) -> Witness:
    """Ann, cyd and dan begin; cyd was at seat 2 until bob, who sat at seat 1, stood up. Eve watches."""
    game = clock_tables.open("ann", kind=kind, seats=seats, clock=CLOCK | clock)
    witness = Witness(clock_tables, game, "ann", "bob", "cyd", "dan", "eve")
    witness.looks()
    for name in ("bob", "cyd"):
        clock_tables.advance(minutes=1)
        clock_tables.sit(game, name)
        witness.looks()
    clock_tables.advance(minutes=1)
    with clock_tables.services.database.write() as tx:
        play.leave_seat(clock_tables.services, tx, game, clock_tables.ids["bob"])
    witness.looks()
    if seats > 4:
        clock_tables.sit(game, "fay", "dan")  # one on bob's old seat, one after cyd
        clock_tables.advance(minutes=1)
        with clock_tables.services.database.write() as tx:
            play.leave_seat(clock_tables.services, tx, game, clock_tables.ids["fay"])
        witness.looks()
    clock_tables.advance(minutes=1)
    with clock_tables.services.database.write() as tx:
        play.start_game(clock_tables.services, tx, game, clock_tables.ids["ann"])
    witness.looks()
    return witness


GENTLE = {"quiet_hours": True, "leave_days": 10, "bank": "P1D", "weekends": "skip"}
SEED = 10
HAPPENED = {
    "rewound", "turn-expired", "seat-vacated", "seat-taken-over", "clock-paused", "clock-resumed", "time-extended",
    "bank-changed", "seat-left",
}  # fmt: skip


@pytest.fixture
def fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same draws and ids in every run."""
    chance = Counted()
    for use in ("token_bytes", "seed"):
        monkeypatch.setattr(Entropy, use, chance.token_bytes)
    monkeypatch.setattr("service.kernel.request_ids.start", nameless)


@pytest.mark.slow
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.long)])
def test_s10_everybody_is_told_again_what_they_were_told_then(sqlite_clock_tables, fixed, monkeypatch, every):
    monkeypatch.setattr(Witness, "every", every)
    happened = set()
    for kind, seats, more in (("tammany-hall", 5, {"strikes": 1}), ("city-hall", 4, {"on_timeout": "pause"})):
        witness = lives_through(sqlite_clock_tables, kind, seats, GENTLE | more, 60)
        happened |= {one["type"] for one in sqlite_clock_tables.events(witness.game)}
    assert {f"table.{name}" for name in HAPPENED} <= happened
    assert "tammany-hall.bids-revealed" in happened


@pytest.mark.slow
def test_s10_the_past_is_the_same_on_each_database(clock_tables, fixed, monkeypatch):
    monkeypatch.setattr(Witness, "every", 4)
    lives_through(clock_tables, "tammany-hall", 5, {}, 25)


def lives_through(clock_tables: Tables, kind: str, seats: int, clock: dict[str, Any], steps: int) -> Witness:
    chance = random.Random(f"{kind} {SEED}")
    witness = sit_down(clock_tables, kind, seats, **clock)
    for step in range(steps):
        if clock_tables.head(witness.game).table.status != "running":
            break
        happens(witness, chance, step)
        witness.looks()
    clock_tables.advance(days=2)
    witness.is_told_the_same_again()
    for name in [name for name in witness.people if name.startswith("new")][:1]:
        came = clock_tables.events(witness.game, "table.seat-taken-over")
        first = next(one["version"] for one in came if one["data"]["player"] == clock_tables.ids[name])
        for version in [known for who, known, _ in witness.told if who == "eve" and known < first][::9]:
            as_told_to_eve = witness.told["eve", version, ""]
            assert witness.asks(name, version=version).ok().data == as_told_to_eve, "they were not at the table yet"
    return witness


# What was then


def test_your_seat_is_the_one_you_had_then(sqlite_clock_tables):
    witness = sit_down(sqlite_clock_tables, "tammany-hall", 5)
    assert sqlite_clock_tables.seat(witness.game, "cyd") == 1
    seats = [
        (witness.asks(name, version=version).json["you"] or {"seat": None})["seat"]
        for name in ("cyd", "bob")
        for version in (4, sqlite_clock_tables.head(witness.game).version)
    ]
    assert seats == [2, 1, 1, None]


def test_s10_who_lost_a_seat_keeps_what_they_saw_at_it_and_the_successor_does_not_get_their_eyes(sqlite_clock_tables):
    clock_tables = sqlite_clock_tables
    witness = sit_down(clock_tables, "city-hall", 4, strikes=1)
    while clock_tables.head(witness.game).table.seat_of(clock_tables.ids["ann"]) not in clock_tables.awaited(
        witness.game
    ):
        (seat,) = clock_tables.awaited(witness.game)
        clock_tables.move(witness.game, seat, move(clock_tables, witness.game, random.Random(1), seat))
    then = clock_tables.head(witness.game).version
    before = witness.asks("ann").ok()
    assert before.json["state"]["seats"][0]["money"] is not None
    assert clock_tables.expire(witness.game, 0)
    clock_tables.sit(witness.game, "zoe")
    assert witness.asks("ann").ok().json["you"] is None
    assert witness.asks("ann", version=then).data == before.data
    assert witness.asks("zoe").ok().json["state"]["seats"][0]["money"] is not None
    assert witness.asks("zoe", version=then).ok().json["state"]["seats"][0]["money"] is None


def test_leave_is_shown_as_it_stood_then_also_when_it_was_taken_back_since(sqlite_clock_tables):
    clock_tables = sqlite_clock_tables
    game = clock_tables.begin_timed(leave_days=10)
    witness = Witness(clock_tables, game, "ann", "bob")

    def plays_on() -> int:
        clock_tables.advance(minutes=1)
        seat = clock_tables.awaited(game)[0]
        clock_tables.move(game, seat, clock_tables.legal(game, seat)[0])
        return clock_tables.head(game).version

    def away(version: int) -> Any:
        return [one["away"] for one in witness.asks("bob", version=version).ok().json["seats"]]

    none = plays_on()
    clock_tables.advance(minutes=1)
    clock_tables.take_leave("ann", "2031-03-06", "2031-03-09")
    announced = plays_on()
    clock_tables.advance(minutes=1)
    clock_tables.cancel_leave("ann")
    taken_back = plays_on()
    clock_tables.advance(minutes=1)
    clock_tables.take_leave("ann", "2031-03-06", "2031-03-09")
    clock_tables.advance(days=3)
    on_leave = plays_on()
    clock_tables.advance(minutes=1)
    clock_tables.cancel_leave("ann")
    cut = plays_on()
    whole, short = {"from": "2031-03-06", "to": "2031-03-09"}, {"from": "2031-03-06", "to": "2031-03-07"}
    assert [away(one)[0] for one in (none, announced, taken_back, on_leave, cut)] == [None, whole, None, whole, short]
    assert away(announced)[1] is None
    with clock_tables.services.database.read() as connection:
        known = absences.announced(connection, clock_tables.ids["ann"])
    assert [(one.first_day, one.last_day) for one in known] == [("2031-03-06", "2031-03-07")]


def test_deadlines_inside_a_move_are_those_told_last_for_what_is_still_asked(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    first, before = table.awaited, table.position()
    table.move(first, "place 1 1", "end")  # three events: the bosses, the end of the turn, the next turn
    placed = table.get(first, query_string={"version": before["version"] + 1}).ok().json
    assert placed["clock"]["deadlines"] == before["clock"]["deadlines"]
    ended = table.get(first, query_string={"version": before["version"] + 2}).ok().json
    assert (ended["clock"]["deadlines"], ended["awaiting"]) == ([], [])


def test_a_past_version_never_changes_so_a_tag_is_enough(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    tags = {}
    for version in (1, 2, table.version):
        query = {"query_string": {"version": version}}
        tags[version] = table.get(table.seated[0], **query).ok().headers["ETag"]
        same = table.get(table.seated[0], headers={"If-None-Match": tags[version]}, **query).ok(304)
        assert same.headers["ETag"] == tags[version]
        table.get(table.seated[0], headers={"If-None-Match": f'"{version}"'}, **query).ok(200)
    table.get(table.seated[0], query_string={"version": 1}, headers={"If-None-Match": tags[2]}).ok(200)


def test_s10_what_was_opened_later_stays_shut_in_the_past_also_after_the_end(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    bidder, other, *_ = table.to_bids()
    table.bid(bidder, **richest(table, bidder))
    sealed = table.version
    own, others = (table.get(one, query_string={"version": sealed}).ok().json["state"] for one in (bidder, other))
    assert own["bidding"]["own"] is not None
    assert others["bidding"]["own"] is None
    for _ in table.play_out(3):
        pass
    assert table.position()["status"] == "finished"
    assert table.get(bidder, query_string={"version": sealed}).ok().json["state"] == own
    assert table.get(other, query_string={"version": sealed}).ok().json["state"] == others
    told = table.get(other, f"diff?from={sealed - 1}&to={sealed}").ok()
    assert all(colour not in told.json["sentences"][0]["text"] for colour in ("irish", "english", "german", "italian"))
    assert "salt" in table.events(other)[sealed - 1]["sealed"][0], "the history has it"


# What changed


def diff(table: ApiTable, who: Player, first: int, last: int | None = None) -> dict[str, Any]:
    query = {"from": first} | ({} if last is None else {"to": last})
    document: dict[str, Any] = table.get(who, "diff", query_string=query).ok().json
    return document


def at(table: ApiTable, who: Player, version: int) -> dict[str, Any]:
    document: dict[str, Any] = table.get(who, query_string={"version": version}).ok().json
    return document


@pytest.mark.slow
def test_a_diff_applied_to_the_view_at_one_version_gives_the_view_at_the_other(sqlite_api):
    for ruleset, seed in (("tammany-hall", 1), ("city-hall", 2)):
        table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"), ruleset=ruleset)
        for _ in zip(range(50), table.play_out(seed), strict=False):
            pass
        chance = random.Random(seed)
        for _ in range(20):
            first, last = sorted(chance.choices(range(1, table.version + 1), k=2))
            who = chance.choice([*table.seated, sqlite_api.player("dan")])
            found = diff(table, who, first, last)
            before, after = at(table, who, first), at(table, who, last)
            assert jsonpatch.apply_patch(before, found["patch"]) == after
            assert (found["from"], found["to"]) == tuple(
                {"version": one["version"], "hash": one["hash"]} for one in (before, after)
            )
            assert {one["op"] for one in found["patch"]} <= {"add", "remove", "replace"}
            versions = [one["version"] for one in found["sentences"]]
            assert versions == sorted(set(versions))
            assert set(versions) <= set(range(first + 1, last + 1))
            again = table.get(who, "diff", query_string={"from": first, "to": last}).data
            assert again == table.get(who, "diff", query_string={"from": first, "to": last}).data


def test_a_diff_of_a_move_says_it_in_words_and_as_a_patch(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    first, before = table.awaited, table.version
    table.move(first, "place 1 2")
    found = diff(table, first, before)
    (sentence,) = found["sentences"]
    assert sentence == {
        "version": before + 1, "text": f"{first.name} campaigns: a boss in ward 1 and a boss in ward 2."
    }  # fmt: skip
    seat = table.seated.index(first)
    assert {"op": "replace", "path": f"/state/wards/2/bosses/{seat}", "value": 1} in found["patch"]
    text = table.get(first, f"diff?from={before}", headers={"Accept": "text/plain"}).ok()
    assert text.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert text.text == f"{before + 1}  {sentence['text']}\n"


def test_a_diff_marks_what_was_taken_back(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    first, before = table.awaited, table.version
    table.move(first, "place 1 2")
    table.post(first, "rewind", {}).ok()
    gone, back = diff(table, first, before)["sentences"]
    assert (gone["undone_by"], gone["text"][-14:]) == (before + 2, " (Taken back.)")
    assert "undone_by" not in back
    assert "undoes what came after" in back["text"]
    assert "undone_by" not in diff(table, first, before, before + 1)["sentences"][0], "it stood then"
    state = [one for one in diff(table, first, before)["patch"] if one["path"].startswith("/state")]
    assert state == []


def test_nothing_changed_between_a_version_and_itself(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    found = diff(table, table.seated[0], 3, 3)
    assert (found["sentences"], found["patch"]) == ([], [])
    assert table.get(table.seated[0], "diff?from=3&to=3", headers={"Accept": "text/plain"}).ok().text == ""


def test_a_diff_goes_forward_between_versions_there_are(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    ann = table.seated[0]
    table.get(ann, "diff?from=3&to=2").refused(422, "bad-range")
    for query in ("from=1&to=99", "from=99", "from=99&to=100"):
        table.get(ann, f"diff?{query}").refused(404, "no-such-version")
    for query in ("", "to=3", "from=0", "from=x", "from=1&to=0", "from=1&since=2"):
        assert table.get(ann, f"diff?{query}").status == 400
    sqlite_api.get("/games/nosuchgame/diff?from=1", ann).refused(404, "no-such-game")


# Secrets


@pytest.mark.slow
def test_s02_neither_past_nor_diff_nor_story_tells_others_what_a_sealed_bid_holds(worlds):
    heard: list[dict[str, list[Any]]] = []
    for generous in (False, True):
        with worlds.one() as api:
            ann, bob, cyd = api.players("ann bob cyd")
            table = api.begin(ann, bob, cyd)
            secretive, *_ = table.to_bids()
            table.bid(secretive, **(richest(table, secretive) if generous else {}))
            table.bid(secretive)  # replaced: nobody hears of it before the end
            for one in table.seated:
                if one is not secretive:
                    table.bid(one)
            heard.append({who.name: all_told(table, who, worlds.whole) for who in (*table.seated, api.player("dan"))})
    alike(*heard, secretive)


HEX = re.compile(r"[0-9a-f]{64}")


def all_told(table: ApiTable, who: Player, whole: bool) -> list[Any]:
    last = table.version
    sevenths = range(1, last + 1, 7)
    lines = []
    for path in (
        "story", "statistics", *(f"diff?from={first}" for first in (sevenths if whole else (1, last - 4))),
        *(f"diff?from=1&to={end}" for end in (sevenths if whole else ())),
    ):  # fmt: skip
        for accept in ("application/json", "text/plain"):
            answer = table.get(who, path, headers={"Accept": accept})
            headers = tuple((name, HEX.sub("#", value)) for name, value in sorted(answer.headers.items()))
            lines.append((path + accept, answer.status, headers, HEX.sub("#", answer.text)))
    return lines
