"""Drafts: what orders would do, line by line, as far as their player can foresee, and nothing recorded."""

from collections.abc import Sequence
from typing import Any

import pytest

from domain.engine.refusals import RuleViolation
from service.games.choices import walk
from service.games.drafts import Draft, draft
from service.games.play import MOST_ACTIONS, NotSeated, Orders
from service.store.event_store.streams import NoSuchGame, StaleTurn
from tests.service.store.service_tables import snapshot
from tests.tables import Tables
from tests.workers.worker_tables import manual_clock, sqlite_tables

__all__ = ["manual_clock", "sqlite_tables"]


@pytest.fixture
def tables(sqlite_tables: Tables) -> Tables:
    return sqlite_tables


def begin(tables: Tables, kind: str = "tammany-hall") -> tuple[str, list[str]]:
    """A game, and its players with the one who is to move first."""
    game = tables.begin("Ann", "Bob", "Cyd", kind=kind)
    head = tables.head(game)
    (first,) = head.rules.decider.awaiting(head.table.game)
    names = ["Ann", "Bob", "Cyd"]
    return game, names[first:] + names[:first]


def drafted(tables: Tables, game: str, name: str, *lines: str, **more: Any) -> Draft:
    return sent(tables, game, name, Orders(text="\n".join(lines)), **more)


def sent(tables: Tables, game: str, name: str, orders: Orders, **more: Any) -> Draft:
    before = snapshot(tables.services)
    player = tables.player(name)
    with tables.services.database.read() as connection:
        found = draft(tables.services, connection, game, player, orders, **more)
    assert snapshot(tables.services) == before
    return found


def to_bids(tables: Tables, game: str) -> list[str]:
    """Play until three bid for ward 1, each with chips: who bids."""
    while (head := tables.head(game)).table.game.phase == "turn":
        (seat,) = head.rules.decider.awaiting(head.table.game)
        actions = head.rules.decider.legal_actions(head.table.game, seat).actions
        lines = [head.rules.notation.write(action) for action in actions]
        settle = [line for line in lines if line.startswith("settle boss 1 ") and line.endswith(" 1")]
        tables.move(game, seat, f"{(settle or ['place 1 1'])[0]}\nend")
    return [
        name for seat, name in enumerate(("Ann", "Bob", "Cyd")) if seat in head.rules.decider.awaiting(head.table.game)
    ]


def said(draft: Draft) -> list[Sequence[str]]:
    return [line.sentences for line in draft.lines]


def test_an_empty_draft_tells_what_may_come_first(tables):
    game, (first, *others) = begin(tables)
    nothing = drafted(tables, game, first)
    assert (nothing.lines, nothing.complete, nothing.refusal) == ((), False, None)
    assert walk(nothing.step, "place 1 1").line == "place 1 1"
    assert walk(nothing.step, "end") is None
    assert nothing.table == nothing.record.table
    assert not nothing.record.facts
    waits = drafted(tables, game, others[0])
    assert (waits.step, waits.complete) == (None, False)


@pytest.mark.slow
def test_each_line_tells_what_it_would_do_and_what_may_follow_it(tables):
    game, (first, *_) = begin(tables)
    half = drafted(tables, game, first, "", " Place 1 14 ", "")
    assert [(line.number, line.text, line.final) for line in half.lines] == [(2, "Place 1 14", False)]
    assert said(half) == [(f"{first} campaigns: a boss in ward 1 and a boss in ward 14.",)]
    assert not half.complete
    assert [option.words for option in half.step.options] == ["end"]
    assert half.table.game.wards[14].bosses[half.seat] == 1

    whole = drafted(tables, game, first, "place 1 14", "end")
    assert [line.final for line in whole.lines] == [False, True]
    assert said(whole)[1] == (f"{first} ends the turn.",)
    assert whole.complete
    assert whole.step is None
    assert whole.refusal is None


def test_actions_are_told_as_lines(tables):
    game, (first, *_) = begin(tables)
    found = sent(tables, game, first, Orders(actions=[{"type": "place", "wards": [1, 1]}, {"type": "end"}]))
    assert [(line.number, line.text) for line in found.lines] == [(1, "place 1 1"), (2, "end")]
    assert found.complete
    wrong = sent(tables, game, first, Orders(actions=[{"type": "place", "wards": [1, 1]}, {"type": "fly"}]))
    assert (wrong.refusal.number, wrong.refusal.code, len(wrong.lines)) == (2, "bad-action", 1)


@pytest.mark.parametrize(
    ("line", "code", "rule"),
    [
        ("place 14 14", "already-placed", "TH-6.1"),
        ("plaice 1 1", "bad-syntax", "TH-15.1"),
        ("place 12", "unknown-ward", "TH-3.1"),
    ],
)
def test_a_line_that_is_refused_says_so_and_those_before_it_stay(tables, line, code, rule):
    game, (first, *_) = begin(tables)
    found = drafted(tables, game, first, "place 1 1", "", line, "end")
    assert (found.refusal.number, found.refusal.text, found.refusal.code, found.refusal.rule) == (3, line, code, rule)
    assert found.refusal.message[-1] in ".?"
    assert [entry.text for entry in found.lines] == ["place 1 1"]
    assert [option.words for option in found.step.options] == ["end"]
    assert not found.complete


@pytest.mark.slow
def test_a_draft_stops_where_chance_or_a_secret_begins(tables):
    game, _ = begin(tables)
    *some, last = to_bids(tables, game)
    for name in some:
        mine = drafted(tables, game, name, "bid none")
        assert (mine.complete, mine.lines[0].final) == (True, False)
        assert mine.step.kind == "amounts"
        tables.move(game, name, "bid none")
    found = drafted(tables, game, last, "bid irish 0")
    assert (found.complete, found.lines[0].final, found.step) == (True, True, None)
    assert found.table.game.won == {}
    others = [seat for seat in found.table.game.bids if seat != found.seat]
    assert [found.table.game.bids[seat] for seat in others] == [None] * len(others), "as their player sees it (S-06)"
    assert found.table.seed is None
    assert len(found.lines[0].sentences) == 1
    beyond = drafted(tables, game, last, "bid none", "place 1 1")
    assert (beyond.refusal.number, beyond.refusal.code) == (2, "wrong-phase")
    assert "nobody can foresee" in beyond.refusal.message
    assert not beyond.complete


@pytest.mark.slow
def test_a_sealed_bid_is_told_to_who_makes_it(tables):
    game, _ = begin(tables)
    name, *_ = to_bids(tables, game)
    state = tables.head(game).table.game
    line = next(
        f"bid {colour} 1"
        for colour in ("irish", "english", "german", "italian")
        if f"bid {colour} 1" in legal(tables, game, name)
    )
    found = drafted(tables, game, name, line)
    assert said(found) == [(f"{name} hands in a sealed bid for ward {state.ward}: 1 {line.split()[1].capitalize()}.",)]
    assert found.lines[0].final is False
    bid = sent(tables, game, name, Orders(bid={"chips": {line.split()[1]: 1}}))
    assert said(bid) == said(found)


def legal(tables: Tables, game: str, name: str) -> list[str]:
    head = tables.head(game)
    seat = head.table.seat_of(tables.player(name))
    return [
        head.rules.notation.write(action) for action in head.rules.decider.legal_actions(head.table.game, seat).actions
    ]


def test_a_draft_has_as_many_lines_as_a_move(tables):
    game, _ = begin(tables)
    name, *_ = to_bids(tables, game)
    found = drafted(tables, game, name, "", *["bid none"] * (MOST_ACTIONS + 1))
    assert len(found.lines) == MOST_ACTIONS
    assert (found.refusal.number, found.refusal.code) == (MOST_ACTIONS + 2, "bad-syntax")
    assert str(MOST_ACTIONS) in found.refusal.message


def test_who_cannot_order_anything_gets_no_draft(tables):
    game, (first, *_) = begin(tables)
    tables.player("Eve")
    with pytest.raises(NotSeated):
        drafted(tables, game, "Eve")
    with pytest.raises(NoSuchGame):
        drafted(tables, "nowhere", first)
    with pytest.raises(StaleTurn):
        drafted(tables, game, first, seen={1})
    still_open = tables.open("Ann", kind="tammany-hall")
    with pytest.raises(RuleViolation, match="has not started"):
        drafted(tables, still_open, "Ann")


def test_a_draft_says_of_a_late_player_what_a_move_would_record(tables):
    game, names = begin(tables)
    seats = [tables.head(game).table.seat_of(tables.player(name)) for name in names]
    tables.expire(game, seats[0])
    for seat in seats[1:]:
        tables.move(game, seat, "place 1 1\nend")
    assert [type(fact.event).__name__ for fact in drafted(tables, game, names[0], "place 1 1").record.facts] == [
        "BossesPlaced", "StrikesCleared",
    ]  # fmt: skip
    assert drafted(tables, game, names[0]).record.facts == []


def test_who_has_lost_the_seat_to_the_caretaker_gets_no_draft(tables):
    game, names = begin(tables)
    seats = [tables.head(game).table.seat_of(tables.player(name)) for name in names]
    tables.expire(game, seats[0])
    for seat in seats[1:]:
        tables.move(game, seat, "place 1 1\nend")
    tables.expire(game, seats[0])
    with pytest.raises(RuleViolation, match="caretaker is playing"):
        drafted(tables, game, names[0])
