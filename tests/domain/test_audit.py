"""The audit: chain, leaves, draws and replay of a history, and what a dishonest keeper could try (F-52 to F-55)."""

import hashlib
import json
import random

import pytest

from domain.audit.verify_history import Report, audit
from domain.engine.canonical import canonical
from domain.engine.draws import Dice, commitment, draw_key
from domain.history.envelope import FIELDS, GENESIS, event_hash, hashed_part
from domain.history.envelope import commitment as leaf_commitment
from domain.tammany_hall import TAMMANY_HALL
from tests.domain.table.gamebook import SEED, Game, begin, finished, nonce, pennies, play_out
from tests.domain.table.pennies import PENNIES

__all__ = ["pennies"]
pytestmark = pytest.mark.usefixtures("pennies")


def verdicts(report):
    return {what: verdict for what, verdict, _ in report.checks}


def broken(lines, version=...):
    """The report on a history that must not pass."""
    report = audit(lines)
    assert not report.ok, report
    sentences = [sentence for _, verdict, sentence in report.checks if verdict == "broken"]
    assert all(sentence.endswith(".") for sentence in sentences)
    if version is not ...:
        assert report.version == version, sentences
        assert version is None or any(f"event {version}:" in sentence for sentence in sentences)
    return report


def keeper(lines, change):
    """What whoever keeps a history could make of it: changed, every commitment fitting, everything hashed again."""
    events = [json.loads(line) for line in lines[:-1]]
    made = change(events)
    events = made if isinstance(made, list) else events
    previous = GENESIS
    for version, event in enumerate(events, 1):
        for leaf in event["sealed"]:
            if "salt" in leaf:
                leaf["commitment"] = leaf_commitment(bytes.fromhex(leaf["salt"]), leaf["data"])
        event |= {"version": version, "previous": previous}
        event["hash"] = previous = event_hash(hashed_part(event))
    return [*map(canonical, events), canonical({"end": {"version": len(events), "hash": previous}})]


def of_type(events, name):
    return [event for event in events if event["type"].endswith("." + name)]


# What is right


def test_a_finished_game_verifies_completely():
    report = audit(finished().export())
    assert report.ok
    assert report.version is None
    assert verdicts(report) == dict.fromkeys(["chain", "leaves", "rules", "draws", "fairness"], "verified")
    assert (report.game, report.events, report.hash) == (
        "k7x2m9qd4t",
        len(finished().facts),
        finished().stored()[-1].hash,
    )


@pytest.mark.parametrize("seat", [None, 0, 1, 2])
def test_a_running_game_verifies_as_each_seat_sees_it_at_every_version(seat):
    game = begin().move(0, "hide 1").move(1, "hide 3").move(1, "hide 2").move(2, "hide 0").move(1, "nod")
    for version in range(1, len(game.facts) + 1):
        report = audit(game.export(seat, at=version))
        assert report.ok, (version, report)
        assert verdicts(report)["draws"] == "open"
        assert verdicts(report)["leaves"] == "open", "the seed is sealed until the end"


def test_after_the_end_every_reader_gets_the_complete_history():
    game = finished()
    assert len({tuple(game.export(seat)) for seat in (None, 0, 1, 2)}) == 1


def test_an_abandoned_game_verifies_completely():
    game = begin("ann", "bob", clock={"strikes": 1}).move(1, "hide 3").expire(0).expire(1)
    assert game.table.status == "abandoned"
    assert verdicts(audit(game.export()))["draws"] == "verified"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_whole_games_of_tammany_hall_verify(seed):
    game = play_out(begin("ann", "bob", rules=TAMMANY_HALL, bots=1), random.Random(seed), late=0.05)
    report = audit(game.export())
    assert report.ok, report
    assert verdicts(report)["draws"] == "verified"


def test_s42_who_could_have_chosen_the_draws_is_said():
    with_nonces = audit(finished().export()).checks[-1][2]
    game = Game(PENNIES).open(seats=2).sit("ann", "bob", by_player=False)
    game = game.move(0, "hide 1").move(1, "hide 0").move(0, "take").move(0, "hide 1").move(1, "hide 0")
    on_trust = audit(game.move(0, "take").export()).checks[-1][2]
    assert "colluded with the last to sit" in with_nonces
    assert "host's word" in on_trust


# What is wrong: whoever changes the file


@pytest.mark.slow
def test_f52_every_field_of_every_event_changed_is_reported_with_its_version():
    lines = finished().export()
    for number, line in enumerate(lines[:-1]):
        for field in FIELDS:
            event = json.loads(line)
            event[field] = {"seat": 9} if isinstance(event[field], str) else "other"
            broken([*lines[:number], canonical(event), *lines[number + 1 :]], number + 1)


def test_f55_no_cut_and_no_garbage_raises():
    whole = b"\n".join(finished().export())
    for cut in range(0, len(whole), len(whole) // 50):
        broken(whole[:cut].splitlines())
        broken([whole[:cut], b"\x00", whole[cut:]])
    for garbage in (b"", b"null", b"{}", b'{"end":null}', b'{"end":{"version":0,"hash":""}}'):
        broken([garbage])
    broken([])


@pytest.mark.slow
def test_g09_no_single_flipped_bit_goes_unseen():
    whole = b"\n".join(finished().export()) + b"\n"
    chance = random.Random(9)
    for _ in range(600):
        place, bit = chance.randrange(len(whole) - 1), 1 << chance.randrange(8)
        flipped = whole[:place] + bytes([whole[place] ^ bit]) + whole[place + 1 :]
        report = audit(flipped.split(b"\n")[:-1])
        assert not report.ok, (place, bit, whole[place - 20 : place + 20])


# What is wrong: whoever keeps the history


def test_a_changed_draw_is_found_though_everything_was_hashed_again():
    game = finished()
    for number, fact in enumerate(game.facts, 1):
        if type(fact.event).__name__ != "PotDrawn":
            continue
        for result in range(6):

            def change(events, number=number, result=result):
                events[number - 1]["data"]["result"] = result

            lines = keeper(game.export(), change)
            if result == fact.event.result:
                assert audit(lines).ok
            else:
                assert verdicts(broken(lines, number))["draws"] == "broken"


def test_a_draw_renumbered_or_relabelled_is_found():
    for change in ({"label": "pot", "index": 1}, {"label": "land", "index": 0}):
        broken(keeper(finished().export(), lambda events, it=change: events[5]["data"].update(draw=it)), 6)


def test_a_draw_that_no_rule_calls_for_is_found():
    def change(events):
        extra = json.loads(json.dumps(of_type(events, "pot-drawn")[0]))
        extra["data"] = {"draw": {"label": "pot", "index": 1}, "result": 3}
        return [*events[:6], extra, *events[6:]]

    broken(keeper(finished().export(), change), 7)


def test_a_nonce_changed_afterwards_is_found_by_the_draws():
    lines = keeper(finished().export(), lambda events: events[1]["data"].update(nonce="x" * 16))
    assert verdicts(broken(lines, 6))["draws"] == "broken"


def test_a_wrong_seed_is_found():
    other = hashlib.sha256(b"another").digest().hex()
    game = finished()
    revealed = len(game.facts)

    def at_the_end(events):
        events[-1]["data"]["seed"] = other

    def in_the_leaf(events):
        events[0]["sealed"][0]["data"]["seed"] = other

    broken(keeper(game.export(), at_the_end), revealed)
    broken(keeper(game.export(), in_the_leaf), revealed)
    for nonsense in ("", "xyz", "00" * 31, 7):
        lines = keeper(game.export(), lambda events, it=nonsense: events[-1]["data"].update(seed=it))
        broken(lines, revealed)


def test_another_seed_with_its_own_commitment_does_not_explain_the_draws():
    other = hashlib.sha256(b"another").digest()
    key = draw_key(other, [nonce(player).text for player in ("ann", "bob", "cyd")])
    assert Dice(key, 0).below("pot", 6) != finished().facts[5].event.result

    def change(events):
        events[0]["data"]["seed_commitment"] = commitment(other)
        events[0]["sealed"][0]["data"]["seed"] = other.hex()
        events[-1]["data"]["seed"] = other.hex()

    broken(keeper(finished().export(), change), 6)


def test_a_leaf_opened_wrongly_is_found():
    game = finished()
    number = next(n for n, fact in enumerate(game.facts) if type(fact.event).__name__ == "PennyHidden")
    lines = game.export()
    event = json.loads(lines[number])
    event["sealed"][0]["data"]["pennies"] = 2
    broken([*lines[:number], canonical(event), *lines[number + 1 :]], number + 1)


def test_s41_a_leaf_still_shut_after_the_end_is_found():
    lines = finished().export()
    for number, line in enumerate(lines[:-1]):
        event = json.loads(line)
        for leaf in event["sealed"]:
            shut = {**event, "sealed": [{"for": leaf["for"], "commitment": leaf["commitment"]}]}
            report = broken([*lines[:number], canonical(shut), *lines[number + 1 :]], number + 1)
            assert verdicts(report)["leaves"] == "broken"


def test_s41_a_game_that_ended_and_kept_its_seed_is_found():
    def cut(events):
        return events[:-1]

    broken(keeper(finished().export(), cut))


LEAVES = {
    "a leaf for another seat": lambda leaf: leaf.update({"for": 2}),
    "a leaf for nobody": lambda leaf: leaf.update({"for": "nobody"}),
    "a leaf that says more": lambda leaf: leaf["data"].update(seat=2),
    "a leaf that says less": lambda leaf: leaf.update(data={"note": ""}),
    "a leaf that is open and says nothing": lambda leaf: leaf["data"].update(pennies=None),
    "a leaf that says nonsense": lambda leaf: leaf["data"].update(pennies="three"),
}


@pytest.mark.parametrize("change", LEAVES.values(), ids=LEAVES)
def test_a_leaf_that_is_not_what_such_an_event_seals_is_found(change):
    lines = finished().export()
    events = [json.loads(line) for line in lines[:-1]]
    number = events.index(of_type(events, "penny-hidden")[0]) + 1
    broken(keeper(lines, lambda events: change(events[number - 1]["sealed"][0])), number)


def test_s41_a_host_that_chose_the_draws_cannot_say_that_the_seed_is_unknown():
    """The leaf of event 1 is open, fits its commitment, and says null; open orders that say null hide the rest."""
    game = finished()
    drawn = next(n for n, fact in enumerate(game.facts, 1) if type(fact.event).__name__ == "PotDrawn")

    def unknown_seed(events):
        events[0]["sealed"][0]["data"]["seed"] = None

    def and_another_pot(events):
        unknown_seed(events)
        pot = events[drawn - 1]["data"]
        pot["result"] = 1 + (pot["result"] + 1) % 6

    def and_unknown_orders(events):
        and_another_pot(events)
        leaf = {"for": 0, "salt": "11" * 32, "data": {"orders": None}, "commitment": ""}
        filed = {"type": "table.orders-filed", "data": {"seat": 0}, "sealed": [leaf], "cause": "forged"}
        return [*events[:drawn], {**events[drawn - 1], "actor": {"seat": 0}, **filed}, *events[drawn:]]

    for forge in (unknown_seed, and_another_pot, and_unknown_orders):
        broken(keeper(game.export(), forge), 1)


def test_a_leaf_left_out_of_its_event_is_found():
    lines = finished().export()
    events = [json.loads(line) for line in lines[:-1]]
    number = events.index(of_type(events, "penny-hidden")[0]) + 1
    broken(keeper(lines, lambda events: events[number - 1].update(sealed=[])), number)


NONSENSE = {
    "an unknown type": lambda events: events[5].update(type="pennies.elephant"),
    "another ruleset's type": lambda events: events[5].update(type="tammany-hall.turn-ended"),
    "an unknown schema": lambda events: events[5].update(schema=2),
    "a field of another type": lambda events: events[5]["data"].update(result="three"),
    "a field left out": lambda events: events[5].update(data={"draw": events[5]["data"]["draw"]}),
    "a seat nobody has": lambda events: events[2]["data"].update(seat=99),
}


@pytest.mark.parametrize("change", NONSENSE.values(), ids=NONSENSE)
def test_an_event_that_is_none_is_found_and_named(change):
    number = 3 if change is NONSENSE["a seat nobody has"] else 6
    lines = keeper(finished().export(), change)
    broken(lines, number)


OPENINGS = {
    "an unknown ruleset": lambda events: events[0]["data"].update(ruleset="chess"),
    "no ruleset": lambda events: events[0]["data"].pop("ruleset"),
    "a ruleset that is a list": lambda events: events[0]["data"].update(ruleset=["pennies"]),
    "seats without end": lambda events: events[0]["data"].update(seats=2**52),
    "no seats": lambda events: events[0]["data"].update(seats=-1),
    "another beginning": lambda events: events[1:],
}


@pytest.mark.parametrize("change", OPENINGS.values(), ids=OPENINGS)
def test_a_history_that_opens_no_game_is_found_and_never_a_traceback(change):
    broken(keeper(finished().export(), change))


@pytest.mark.slow
def test_no_event_left_out_or_doubled_by_its_keeper_raises():
    """Not all of it can be found without witnesses (T-4B); none of it may end in a traceback."""
    lines = finished().export()
    for number in range(1, len(lines) - 1):
        assert isinstance(audit(keeper(lines, lambda events, n=number: [*events[:n], *events[n + 1 :]])), Report)
        assert isinstance(audit(keeper(lines, lambda events, n=number: [*events[:n], events[n], *events[n:]])), Report)


@pytest.mark.slow
def test_no_value_of_any_field_raises():
    lines = finished().export()
    values = [None, True, -1, 2**53 - 1, "", "x", [], {}, [[]], {"a": 1}]
    for number in range(len(lines) - 1):
        fields = json.loads(lines[number])["data"]
        for name in fields:
            for value in values:

                def change(events, number=number, name=name, value=value):
                    events[number]["data"][name] = value

                assert isinstance(audit(keeper(lines, change)), Report), (number, name, value)


def test_the_seed_of_these_tests_is_not_in_a_running_game():
    assert SEED.hex().encode() not in b"".join(begin().export())
