"""The audit: chain, leaves, draws and replay of a history, and what a dishonest keeper could try (F-52 to F-55)."""

import hashlib
import json
import random

import pytest

from domain.audit.verify_history import Report, audit
from domain.engine.canonical import canonical
from domain.history.envelope import GENESIS, event_hash, hashed_part
from domain.history.envelope import commitment as leaf_commitment
from domain.tammany_hall import TAMMANY_HALL
from tests.domain.table.gamebook import SEED, Game, begin, finished, pennies, play_out
from tests.domain.table.pennies import PENNIES

__all__ = ["pennies"]
pytestmark = pytest.mark.usefixtures("pennies")


def verdicts(report):
    return {what: verdict for what, verdict, _ in report.checks}


def fairness(game):
    return {what: sentence for what, _, sentence in audit(game.export()).checks}["fairness"]


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


# What is right


def test_a_finished_game_verifies_completely():
    report = audit(finished().export())
    assert report.ok
    assert report.version is None
    held = dict.fromkeys(["chain", "leaves", "rules", "draws", "fairness"], "verified")
    assert verdicts(report) == held | {"clock": "unchecked"}, "made without a service, it tells no deadline"
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
    with_nonces = fairness(finished())
    game = Game(PENNIES).open(seats=2).sit("ann", "bob", by_player=False)
    game = game.move(0, "hide 1").move(1, "hide 0").move(0, "take").move(0, "hide 1").move(1, "hide 0")
    on_trust = fairness(game.move(0, "take"))
    assert "colluded with the last to sit" in with_nonces
    assert "host's word" in on_trust


# What is wrong: whoever changes the file


def test_f55_no_cut_and_no_garbage_raises():
    whole = b"\n".join(finished().export())
    for cut in range(0, len(whole), len(whole) // 50):
        broken(whole[:cut].splitlines())
        broken([whole[:cut], b"\x00", whole[cut:]])
    for garbage in (b"", b"null", b"{}", b'{"end":null}', b'{"end":{"version":0,"hash":""}}'):
        broken([garbage])
    broken([])


# What is wrong: whoever keeps the history


OTHER_SEED = hashlib.sha256(b"another").hexdigest()
FORGERIES = {
    "another draw": (lambda events: events[5]["data"].update(result=(events[5]["data"]["result"] + 1) % 6), 6),
    "a draw renumbered": (lambda events: events[5]["data"].update(draw={"label": "pot", "index": 1}), 6),
    "a draw by another name": (lambda events: events[5]["data"].update(draw={"label": "land", "index": 0}), 6),
    "a draw that no rule calls for": (lambda events: [*events[:6], json.loads(json.dumps(events[5])), *events[6:]], 7),
    "another nonce": (lambda events: events[1]["data"].update(nonce="x" * 16), 6),
    "another seed at the end": (lambda events: events[-1]["data"].update(seed=OTHER_SEED), -1),
    "another seed in the leaf": (lambda events: events[0]["sealed"][0]["data"].update(seed=OTHER_SEED), -1),
    "a seed that is said to be unknown": (lambda events: events[0]["sealed"][0]["data"].update(seed=None), 1),
    "a seed that was kept": (lambda events: events[:-1], ...),
    "an unknown type": (lambda events: events[5].update(type="pennies.elephant"), 6),
    "an unknown schema": (lambda events: events[5].update(schema=2), 6),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_s41_an_export_that_its_keeper_forged_is_found_as_a_bundle_is(forgery):
    """All else that is found in a bundle tests/audit/vectors has."""
    change, version = FORGERIES[forgery]
    broken(keeper(finished().export(), change), len(finished().facts) if version == -1 else version)


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
