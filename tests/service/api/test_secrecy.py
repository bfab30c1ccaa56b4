"""What is secret stays so on every channel: the twin law (S-02, S-03), previews (S-06), data at rest (S-30, S-31)."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import structlog

from domain.engine.draws import Dice
from domain.table import play
from service.store.event_store import stream_reader
from service.store.rows import GameRow, LeafRow
from tests.service.api.table import Api, ApiTable, Player
from tests.service.api.twins import Line, Worlds, differences, heard, noticed, notices, worlds

__all__ = ["worlds"]
pytestmark = pytest.mark.slow

Chips = dict[str, int]
Heard = dict[str, list[Line]]


def all_ears(table: ApiTable, *ears: Player, but: Player | None = None, whole: bool = False) -> Heard:
    """Return what these can hear; by default a rival and a spectator, or if `whole`, everybody.

    The player `but` knows the secret and asks little.
    """
    others = [who for who in (*table.seated, table.api.player("dan")) if who is not but]
    listening = ears or [*(others if whole else others[::2]), *([but] if but else [])]
    listened = {who.name: noticed(table, who) if who is but else heard(table, who, whole) for who in listening}
    return listened | {"mail": _mail(table.api)}


def _mail(api: Api) -> list[Line]:
    return [("notice", 0, (), str(notice)) for notice in notices(api)]


def seated(api: Api, **options: str) -> ApiTable:
    """Three at a table; dan watches. Everybody's first seat: ann 0, bob 1, cyd 2."""
    ann, bob, cyd = api.players("ann bob cyd")
    api.player("dan")
    return api.begin(ann, bob, cyd, options=options)


def alike(one: Heard, other: Heard, *but: Player) -> None:
    """Twins for everybody but those who know the difference, who do hear it."""
    knowing = {player.name for player in but}
    for name in one:
        found = differences(one[name], other[name])
        if name in knowing:
            assert found, f"{name} should hear a difference: these are no twins at all"
        else:
            assert not found, f"{name} hears a difference: {found[:3]}"


def richest(table: ApiTable, player: Player) -> Chips:
    return table.purse(player)


Story = Callable[[ApiTable, Player, Chips], Iterator[Heard]]


def told_twice(worlds: Worlds, story: Story, **options: str) -> Player:
    """Tell a story in two worlds in which one player bids nothing, or all there is; all others must hear the same."""
    stories, knowing = [], []
    for generous in (False, True):
        with worlds.one() as api:
            table = seated(api, **options)
            secretive, *_ = table.to_bids()
            chips = richest(table, secretive) if generous else {}
            stories.append(list(story(table, secretive, chips)))
            knowing.append(secretive)
    assert knowing[0] == knowing[1]
    assert len(stories[0]) == len(stories[1])
    for one, other in zip(*stories, strict=True):
        alike(one, other, knowing[0])
    return knowing[0]


# The twin law


@pytest.mark.slow
@pytest.mark.parametrize("option", ["replaceable", "final"])
def test_s02_nobody_hears_what_a_sealed_bid_holds(worlds, option):
    def story(table: ApiTable, secretive: Player, chips: Chips) -> Iterator[Heard]:
        others = [one for one in table.seated if one is not secretive]
        table.bid(secretive, **chips)
        yield all_ears(table, others[0], whole=worlds.whole)
        table.bid(others[0])  # the last to bid could open them all: so far may nobody look
        yield all_ears(table, but=secretive, whole=worlds.whole)

    told_twice(worlds, story, **{"sealed-bid": option})


@pytest.mark.slow
def test_s02_nobody_hears_what_a_replaced_bid_held_also_after_the_opening(worlds):
    def story(table: ApiTable, secretive: Player, chips: Chips) -> Iterator[Heard]:
        table.bid(secretive, **chips)
        table.bid(secretive)
        yield all_ears(table, table.seated[-1], whole=worlds.whole)
        for one in table.seated:
            if one is not secretive:
                table.bid(one)
        assert any(event["type"] == "tammany-hall.bids-revealed" for event in table.events(secretive))
        yield all_ears(table, but=secretive, whole=worlds.whole)

    told_twice(worlds, story)


@pytest.mark.slow
def test_s02_nobody_hears_a_draw_that_is_still_to_come(worlds, monkeypatch):
    """Two games whose next draw comes out differently, with the same past."""
    made = 3  # the first player, zone 1 and the first Castle Garden

    def otherwise(key: bytes, index: int) -> Dice:
        return Dice(key[::-1] if index >= made else key, index)

    def story(table: ApiTable) -> Iterator[Heard]:
        while sum(table.position()["state"]["garden"].values()) > 1:
            table.move(table.awaited, settling(table), "end")
        assert draws(table) == made
        yield all_ears(table, table.awaited, api.player("dan"), whole=worlds.whole)
        table.move(table.awaited, settling(table), "end")
        assert draws(table) > made, "the draw comes with the next end of a turn"

    stories, drawn = [], []
    for dice in (Dice, otherwise):
        monkeypatch.setattr(play, "Dice", dice)
        with worlds.one() as api:
            table = seated(api)
            stories.append(list(story(table)))
            drawn.append([event["data"] for event in table.events(table.seated[0]) if "draw" in event["data"]])
    assert drawn[0][:made] == drawn[1][:made]
    assert drawn[0] != drawn[1], "the draws come out alike: these are no twins at all"
    for one, other in zip(*stories, strict=True):
        alike(one, other)


def draws(table: ApiTable) -> int:
    return sum("draw" in event["data"] for event in table.events(table.seated[0]))


def settling(table: ApiTable) -> str:
    return next(text for text in table.legal(table.awaited) if text.startswith("settle"))


@pytest.mark.slow
def test_the_twin_law_would_notice_a_leak(worlds, monkeypatch):
    """Calibration: with leaves open to everybody, the events of a game tell on it."""

    def story(table: ApiTable, secretive: Player, chips: Chips) -> Iterator[Heard]:
        table.bid(secretive, **chips)
        yield {"dan": heard(table, table.api.player("dan"))}

    monkeypatch.setattr(stream_reader, "_visible", lambda *_: True)
    with pytest.raises(AssertionError, match="dan hears a difference"):
        told_twice(worlds, story)


# Previews


@pytest.mark.parametrize("option", ["replaceable", "final"])
def test_s06_a_dry_run_of_the_last_bid_opens_nothing(sqlite_api, option):
    table = seated(sqlite_api, **{"sealed-bid": option})
    *others, last = table.to_bids()
    for one in others:
        table.bid(one, **richest(table, one))
    before = sqlite_api.kept()
    for chips in ({}, richest(table, last)):
        answer = table.post(last, "bids?dry_run=1", {"chips": chips}).ok()
        (event,) = answer.json["events"]
        assert event["type"] == "tammany-hall.bid-sealed"
        bidding = answer.json["game"]["state"]["bidding"]
        assert {colour: count for colour, count in bidding["own"].items() if count} == chips
        assert bidding["handed_in"] == [0, 1, 2]
        assert answer.json["game"]["state"]["phase"] == "bid"
    assert sqlite_api.kept() == before
    answer = table.bid(last)
    assert "tammany-hall.bids-revealed" in [event["type"] for event in answer.json["events"]]


def test_s06_orders_that_reach_beyond_an_opening_are_refused_untold(sqlite_api):
    table = seated(sqlite_api)
    *others, last = table.to_bids()
    for one in others:
        table.bid(one, **richest(table, one))
    before = sqlite_api.kept()
    for text in ("bid none\nbid none", "bid none\nend", "bid none\nbonus pass", "bid none\nbid ward 2 none"):
        answers = [table.post(last, path, {"text": text}) for path in ("moves", "moves?dry_run=1")]
        for answer in answers:
            answer.refused(409, "wrong-phase", "DESIGN-2")
            assert "nobody can foresee" in answer.json["detail"]
        assert answers[0].data == answers[1].data
    assert sqlite_api.kept() == before


@pytest.mark.slow
def test_s06_orders_that_reach_beyond_a_draw_are_refused_untold(sqlite_api):
    table = seated(sqlite_api)
    tried = 0
    for _ in range(12):
        player, settle = table.awaited, settling(table)
        dry = table.post(player, "moves?dry_run=1", {"text": f"{settle}\nend"}).ok().json
        before, drawn = sqlite_api.kept(), draws(table)
        if dry["game"]["awaiting"] == []:  # what follows is a draw
            assert not any("draw" in event["data"] for event in dry["events"])
            for text in (f"{settle}\nend\nplace 1 1", f"{settle}\nend\nend"):
                answers = [table.post(player, path, {"text": text}) for path in ("moves", "moves?dry_run=1")]
                for answer in answers:
                    answer.refused(409, "wrong-phase", "DESIGN-2")
                assert answers[0].data == answers[1].data
            assert sqlite_api.kept() == before
            assert draws(table) == drawn
            tried += 1
        table.move(player, settle, "end")
        assert (draws(table) > drawn) == (dry["game"]["awaiting"] == [])
    assert tried


@pytest.mark.slow
def test_s07_all_bids_of_a_round_open_in_one_event(sqlite_api):
    table = seated(sqlite_api)
    bidders = table.to_bids()
    for one in bidders:
        table.bid(one, **richest(table, one))
    watcher = sqlite_api.player("dan")
    events = table.events(watcher)
    opened = next(event["version"] for event in events if event["type"] == "tammany-hall.bids-revealed")
    leaves = [
        event["version"] for event in events if event["type"] == "tammany-hall.bid-sealed" and event["version"] < opened
    ]
    assert len(leaves) == len(bidders)
    for upto in range(leaves[0], table.version + 1):
        seen = table.events(watcher, limit=upto)
        known = ["salt" in seen[version - 1]["sealed"][0] for version in leaves if version <= upto]
        assert set(known) == {upto >= opened}
        bidding = table.get(watcher, query_string={"version": upto}).ok().json["state"]["bidding"]
        assert bidding is None or bidding["own"] is None


# Data at rest, and logs


def test_i10_no_byte_of_the_database_shows_a_sealed_bid_or_the_seed(sqlite_api, sqlite_copy):
    table = seated(sqlite_api)
    bidder, *_ = table.to_bids()
    chips = richest(table, bidder)
    answer = table.post(bidder, "bids", {"chips": chips}, headers={"Idempotency-Key": "canary"}).ok(201)
    leaf = next(event["sealed"][0] for event in answer.json["events"] if event["sealed"])
    with sqlite_api.services.database.read() as connection:
        seed = str(sqlite_api.services.streams.head(connection, table.id).table.seed)
    secrets = [leaf["data"]["text"], leaf["salt"], seed, bidder.token]
    secrets += [f'"chips":{{"{next(iter(chips))}":', "\x00".join(chips)]
    forms = [form for secret in secrets for form in (secret.encode(), secret.encode("utf-16-le"))]
    forms += [bytes.fromhex(leaf["salt"]), bytes.fromhex(seed)]
    path = Path(sqlite_copy.removeprefix("sqlite:///"))
    found = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    assert b"place 1 1" in found or b"settle boss" in found, "the scan finds what is there"
    assert leaf["commitment"].encode() in found
    assert [form for form in forms if form in found] == []


def test_s12_sealed_bids_are_of_one_size_whatever_they_hold(sqlite_api):
    table = seated(sqlite_api)
    bidders = table.to_bids()
    for one in bidders[:2]:
        for chips in ({}, richest(table, one)):
            table.bid(one, **chips)
    with sqlite_api.services.database.read() as connection:
        leaves = connection.execute(sa.select(LeafRow.owner, sa.func.length(LeafRow.sealed))).all()  # type: ignore[call-overload]
    sizes = {size for owner, size in leaves if owner is not None}
    assert len(leaves) >= 5
    assert len(sizes) == 1


def test_s30_the_state_beside_the_head_is_sealed(sqlite_api):
    table = seated(sqlite_api)
    ids = [player.id.encode() for player in table.seated]
    with sqlite_api.services.database.read() as connection:
        state = connection.execute(sa.select(GameRow.state)).scalar_one()  # type: ignore[call-overload]
        other = sqlite_api.services.streams.head(connection, table.id)
    assert not any(one in state for one in [*ids, b"tammany", b"running", table.id.encode()])
    opened = sqlite_api.services.sealer.open(table.id, f"{table.id}|state", state)
    assert all(one in opened for one in ids)
    assert other.table.chairs[0].player == table.seated[0].id


def test_s31_no_log_line_shows_a_bid_a_token_a_code_or_an_address(sqlite_api, caplog, capfd, monkeypatch):
    caplog.set_level(logging.DEBUG)
    with structlog.testing.capture_logs() as lines:
        table = seated(sqlite_api)
        bidder, *_ = table.to_bids()
        colour, count = next(iter(richest(table, bidder).items()))
        table.bid(bidder, **{colour: count})
        table.post(bidder, "bids", {"chips": {colour: 77}}).refused(422, "not-enough-chips")
        sqlite_api.post("/tokens", None, {"email": "ann@example.org"}).ok(202)
        sqlite_api.post("/tokens", None, {"email": "ann@example.org", "code": "mycode77"}).refused(401, "bad-code")

        def explode(*_: Any, **__: Any) -> None:
            raise RuntimeError(f"{colour} 77 of {bidder.token}")

        monkeypatch.setattr("service.games.play.settle", explode)
        table.post(bidder, "bids", {"chips": {colour: 1}}).refused(500, "unforeseen")
        monkeypatch.undo()
        sqlite_api.services.database.close()
    assert any(line["event"] == "unforeseen error" for line in lines), "the log is listened to"
    logged = "\n".join([*map(str, lines), caplog.text, *capfd.readouterr()])
    for secret in (f"{colour} {count}", f"{colour} 77", f"'{colour}': ", bidder.token, "mycode77", "ann@example.org"):
        assert secret not in logged


@pytest.mark.slow
def test_ch_14_7_nobody_hears_which_permit_a_rival_returned(worlds):
    """CH-5.1, CH-14.7: two games that differ in a returned Permit, and so in a hand, sound alike to everybody else."""

    def story(kept: int) -> tuple[Player, list[Heard]]:
        with worlds.one() as api:
            ann, bob, cyd = api.players("ann bob cyd")
            api.player("dan")
            table = api.begin(ann, bob, cyd, ruleset="city-hall")
            while not table.legal(table.awaited)[0].startswith("build"):
                table.move(table.awaited, table.legal(table.awaited)[0])
            secretive = table.awaited
            land = table.legal(secretive)[0].split()[2]
            table.move(secretive, f"build housing {land} return {('tower', 'factory')[kept]}")
            heard_then = all_ears(table, but=secretive, whole=worlds.whole)
            while table.legal(table.awaited)[0].startswith("build"):
                table.move(table.awaited, table.legal(table.awaited)[0])
            table.move(table.awaited, "activate tax")
            return secretive, [heard_then, all_ears(table, but=secretive, whole=worlds.whole)]

    (secretive, one), (_, other) = story(0), story(1)
    for then, twin in zip(one, other, strict=True):
        alike(then, twin, secretive)
