"""Old bodies are read for ever; what a later Wardroom writes is refused in a sentence (DESIGN 3, issue 6 point 6)."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.audit.verify_history import audit, read_game
from domain.city_hall.rules.events import PermitReturned
from domain.engine.bots import Bot
from domain.engine.canonical import canonical
from domain.engine.game import Event
from domain.engine.upcast import Upcast
from domain.history.codec import UnknownSchema, history, unseal
from domain.history.envelope import GENESIS, BrokenHistory, event_hash, hashed_part, read_export
from domain.history.upcasts import newest, upcast, upcast_leaf
from domain.rulesets import RULESETS
from domain.table.events import EVENTS, SeatTaken
from domain.table.evolve import fold
from domain.table.state import Table
from domain.tammany_hall.rules.events import BossesPlaced

OLD = Path(__file__).parent.parent / "archive" / "schema-0"
FILES = sorted(OLD.glob("*.ndjson"))


def lines(name: str) -> list[bytes]:
    return (OLD / f"{name}.ndjson").read_bytes().splitlines()


def body(name: str, data: dict[str, Any], schema: int, version: int = 17) -> bytes:
    """A stored body, as far as its event is read from it."""
    return canonical({"version": version, "type": name, "schema": schema, "data": data, "sealed": []})


def test_the_old_archive_holds_all_three_types_in_schema_0():
    entries = [json.loads(line) for path in FILES for line in path.read_bytes().splitlines()[:-1]]
    assert {entry["type"] for entry in entries if entry["schema"] == 0} == {
        "table.seat-taken",
        "tammany-hall.bosses-placed",
        "city-hall.permit-returned",
    }
    assert {entry["data"]["ruleset"] for entry in entries if entry["version"] == 1} == set(RULESETS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_old_history_verifies_and_its_rules_are_checked(path):
    report = audit(path.read_bytes().splitlines())
    assert report.ok, report.checks
    assert {verdict for _, verdict, _ in report.checks} == {"verified"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_old_history_folds_to_the_result_it_tells(path):
    kind, events, over = read_game(path.read_bytes().splitlines())
    table = fold(Table(), RULESETS[kind], events)
    assert over
    assert table.status in ("finished", "abandoned")
    if table.status == "finished":
        told = next(msgspec.to_builtins(event) for event in events if type(event).__name__ == "GameFinished")
        assert RULESETS[kind].decider.result(table.game) == told


def test_the_export_of_an_old_history_is_what_it_was():
    """Reading changes no byte of it: what is hashed is what was written then."""
    for path in FILES:
        given = path.read_bytes().splitlines()
        entries = read_export(given)
        assert [canonical(entry) for entry in entries] == given[:-1]
        assert all(entry["hash"] == event_hash(hashed_part(entry)) for entry in entries)


def test_a_seat_taken_of_schema_0_says_nothing_of_who_made_the_nonce():
    read = history("tammany-hall").read
    old = {"seat": 1, "player": "p_boris", "nonce": "n" * 16}
    assert read("table.seat-taken", body("table.seat-taken", old, 0)) == SeatTaken(1, "p_boris", "n" * 16, "server")
    bot = read("table.seat-taken", body("table.seat-taken", old | {"player": None}, 0))
    assert bot == SeatTaken(1, None, "n" * 16, "server", Bot(0))


def test_a_bot_of_schema_1_plays_what_the_caretaker_plays():
    read, name = history("tammany-hall").read, "table.seat-taken"
    old = {"seat": 1, "player": None, "nonce": "n" * 16, "nonce_by": "server", "bot": True}
    assert read(name, body(name, old, 1)) == SeatTaken(1, None, "n" * 16, "server", Bot(0, "even"))
    person = old | {"player": "p_boris", "bot": False}
    assert read(name, body(name, person, 1)) == SeatTaken(1, "p_boris", "n" * 16, "server", None)
    for schema, bot in ((1, 0), (1, None), (1, {"strength": 0, "temper": "even"}), (2, True), (2, {"strength": 4})):
        with pytest.raises(msgspec.ValidationError):
            read(name, body(name, old | {"bot": bot}, schema))


def test_bosses_placed_of_schema_0_have_one_ward_or_two():
    read = history("tammany-hall").read
    name = "tammany-hall.bosses-placed"
    assert read(name, body(name, {"seat": 2, "ward": 4}, 0)) == BossesPlaced(2, [4])
    assert read(name, body(name, {"seat": 2, "ward": 4, "other": 1, "text": "place 4 1"}, 0)) == BossesPlaced(2, [4, 1])


def test_a_leaf_of_schema_0_says_the_same_in_other_words():
    shut = history("city-hall").read("city-hall.permit-returned", body("city-hall.permit-returned", {"seat": 0}, 0))
    assert shut == PermitReturned(0, None)
    assert unseal(shut, {"card": "tower", "text": "build …"}) == PermitReturned(0, "tower")
    assert unseal(shut, {"permit": "tower"}) == PermitReturned(0, "tower")


def test_a_spoiled_leaf_of_an_old_event_is_found():
    events = [json.loads(line) for line in lines("city-hall")[:-1]]
    number = next(n for n, event in enumerate(events) if event["type"] == "city-hall.permit-returned")
    leaf = events[number]["sealed"][0]
    leaf["data"]["card"] = "park"
    report = audit([*map(canonical, events), lines("city-hall")[-1]])
    assert (report.ok, report.version) == (False, number + 1)


@pytest.mark.parametrize("schema", [-1, 2, 0])
def test_a_schema_that_never_was_is_none_of_the_type(schema):
    """Schema 2 is one that may come; -1, and 0 of a type that never had it, are nothing."""
    name = "table.seat-left"
    wrong = UnknownSchema if schema == 2 else msgspec.ValidationError
    with pytest.raises(wrong):
        history("city-hall").read(name, body(name, {"seat": 0, "host": "p_anna"}, schema))


def test_an_old_body_that_is_no_such_event_is_refused_like_any_other():
    read = history("tammany-hall").read
    for data in ({}, {"seat": 1}, {"seat": "x", "ward": 4}, {"seat": 1, "ward": "four"}):
        with pytest.raises(msgspec.ValidationError):
            read("tammany-hall.bosses-placed", body("tammany-hall.bosses-placed", data, 0))


# What a later Wardroom wrote


def later(change: Any, number: int = 20) -> list[bytes]:
    """A sound history of which one event is of a later Wardroom."""
    events = [json.loads(line) for line in lines("tammany-hall")[:-1]]
    change(events[number - 1])
    previous = GENESIS
    for event in events:
        event["previous"] = previous
        event["hash"] = previous = event_hash(hashed_part(event))
    return [*map(canonical, events), canonical({"end": {"version": len(events), "hash": previous}})]


def test_a_later_schema_is_refused_with_what_to_do():
    name = "tammany-hall.bosses-placed"
    with pytest.raises(UnknownSchema) as refused:
        history("tammany-hall").read(name, body(name, {"seat": 1, "anything": 1}, 2))
    assert str(refused.value) == (
        "Event 17 is a tammany-hall.bosses-placed of schema 2, and this Wardroom reads up to 1: install a newer one."
    )
    assert refused.value.version == 17


def test_a_later_type_is_refused_with_what_to_do():
    for name in ("tammany-hall.elephant", "city-hall.bid-made"):
        with pytest.raises(UnknownSchema) as refused:
            history("tammany-hall").decoders[name](body(name, {}, 1, 3))
        assert str(refused.value) == f"Event 3 is a {name}, which this Wardroom does not know: install a newer one."


@pytest.mark.parametrize("change", [lambda it: it.update(schema=2), lambda it: it.update(type="tammany-hall.elephant")])
def test_verify_says_that_a_newer_one_is_needed(change):
    report = audit(later(change))
    assert not report.ok
    assert report.version == 20
    (told,) = [sentence for _, verdict, sentence in report.checks if verdict == "broken"]
    assert told.startswith("event 20: it is a tammany-hall.")
    assert told.endswith(": install a newer one.")
    with pytest.raises(BrokenHistory, match="install a newer one"):
        read_game(later(change))


# What whoever adds a schema must hold to


@pytest.mark.parametrize("kind", RULESETS)
def test_every_type_has_a_newest_schema_and_is_written_in_it(kind):
    kept = history(kind)
    assert set(kept.schemas) == set(kept.decoders) == set(kept.names.values())
    assert all(schema >= 1 for schema in kept.schemas.values())
    assert {f"table.{name}" for name in EVENTS} < set(kept.schemas)


def test_an_old_leaf_can_be_told_from_every_newer_one():
    types = {event for kind in RULESETS for event in history(kind).names}
    assert {event.__name__ for event in types if event.UPCASTS} == {"SeatTaken", "BossesPlaced", "PermitReturned"}
    for kind in types:
        forms = [step.sealed for step in kind.UPCASTS if step is not None and step.sealed]
        assert len(set(forms)) == len(forms)
        assert frozenset(kind.SEALED) not in forms


class Counted(Event, frozen=True):
    """For schemas that come after the first."""

    seat: int
    coins: int


def test_schemas_are_climbed_one_by_one(monkeypatch):
    first = Upcast(lambda data: {"seat": data["s"], "pennies": data["p"]})
    second = Upcast(lambda data: {"seat": data["seat"], "coins": data["pennies"]})
    monkeypatch.setattr(Counted, "UPCASTS", (None, first, second))
    assert newest(Counted) == 3
    assert upcast(Counted, 1, {"s": 1, "p": 2}) == {"seat": 1, "coins": 2}
    assert upcast(Counted, 2, {"seat": 1, "pennies": 2}) == {"seat": 1, "coins": 2}
    with pytest.raises(ValueError, match="never was"):
        upcast(Counted, 0, {})


def test_leaves_are_climbed_one_by_one_too(monkeypatch):
    first = Upcast(sealed=frozenset({"p"}), leaf=lambda data: {"pennies": data["p"]})
    second = Upcast(sealed=frozenset({"pennies"}), leaf=lambda data: {"coins": data["pennies"]})
    monkeypatch.setattr(Counted, "UPCASTS", (None, first, second))
    assert upcast_leaf(Counted, {"p": 2}) == upcast_leaf(Counted, {"pennies": 2}) == upcast_leaf(Counted, {"coins": 2})
