"""The level "rules" of an audit (S-41): every history that was played is what the rules make, and no other is."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.audit.comparison import Entry
from domain.audit.redecide import Retraced, retrace
from domain.audit.verify_history import audit
from domain.city_hall import CITY_HALL
from domain.engine.canonical import canonical
from domain.history.codec import history
from domain.history.envelope import GENESIS, event_hash, hashed_part
from domain.rulesets import RULESETS
from domain.table import events as e
from domain.table.evolve import Rules
from domain.tammany_hall import TAMMANY_HALL
from domain.tammany_hall.rules import events as th
from tests.archive import orders
from tests.archive.players import citizen, quiet
from tests.archive.tables import Chooser, Story, anything
from tests.domain.table.gamebook import Game
from tests.domain.table.pennies import PENNIES, Hide, PennyHidden, PotDrawn, PotTaken, Take


@pytest.fixture(autouse=True, scope="module")
def pennies() -> Iterator[None]:
    """Pennies is a ruleset like the others."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(RULESETS, PENNIES.kind, PENNIES)  # type: ignore[arg-type]
        yield


def again(story: Story) -> Retraced:
    return retrace(history(story.rules.kind), story.entries())


def changed(story: Story, number: int, **fields: Any) -> Retraced:
    """The history with other values in its event `number`, and nothing else changed."""
    entries = story.entries()
    old = entries[number - 1]
    entries[number - 1] = replace(old, event=msgspec.structs.replace(old.event, **fields))
    return retrace(history(story.rules.kind), entries)


def where(story: Story, kind: type, nth: int = 0) -> int:
    """The version of the first event of a type, or of the one after so many."""
    return [number for number, fact in enumerate(story.facts, 1) if isinstance(fact.event, kind)][nth]


def without(story: Story, *numbers: int) -> Retraced:
    """The history without some events, all others numbered anew."""
    left = [entry for entry in story.entries() if entry.version not in numbers]
    kept = [Entry(n, one.actor, one.cause, one.event, one.text) for n, one in enumerate(left, 1)]
    return retrace(history(story.rules.kind), kept)


def coppers(chance: random.Random, game: Any, seat: int) -> str:
    return chance.choice(["hide 2", "take", "take pot of 3", "hide 1\ntake pot of 4"])


TABLES: dict[str, tuple[Rules, Chooser, Any]] = {
    "pennies": (PENNIES, anything, coppers),
    "tammany-hall": (TAMMANY_HALL, quiet(0.3), orders.tammany),
    "city-hall": (CITY_HALL, citizen, orders.city),
}


def troubled(kind: str, seed: int) -> Story:
    """A whole game in which much happens."""
    rules, choose, wishes = TABLES[kind]
    chance = random.Random(seed)
    seats = chance.choice(list(rules.seats))
    bots = chance.choice([0, 0, 1]) if seats > 2 else 0
    options = {name: chance.choice(values) for name, values in rules.options.items()}
    terms = {"strikes": chance.choice([1, 2, 3]), "on_timeout": chance.choice(["caretaker", "pause"])}
    story = Story(rules, chance).begin(seats, bots, options=options, **terms)
    return story.play_out(choose, trouble=chance.choice([0.0, 0.1, 0.3]), orders=wishes)


def as_seen(story: Story, seat: int | None, at: int) -> list[Entry]:
    """The history up to an event as a seat may see it then."""
    shown = Game(story.rules, story.table, tuple(story.facts)).shown(seat, at)
    return [
        _shut(entry) if type(entry.event).SEALED and entry.version not in shown else entry
        for entry in story.entries()[:at]
    ]


def _shut(entry: Entry) -> Entry:
    event = msgspec.structs.replace(entry.event, **dict.fromkeys(type(entry.event).SEALED))
    return Entry(entry.version, entry.actor, entry.cause, event, "", shut=True)


# Laws


@pytest.mark.slow
@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_s41_every_table_that_was_played_is_what_the_rules_make(seed):
    story = troubled("pennies", seed)
    found = again(story)
    assert (found.differences, found.unchecked, found.whole) == ([], 0, True)
    assert found.table == story.table


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tammany-hall", "city-hall"])
@pytest.mark.parametrize("seed", [20, 21, 22])
def test_s41_so_is_every_game_of_the_rulesets(kind, seed):
    story = troubled(kind, seed)
    found = again(story)
    assert (found.differences, found.unchecked, found.whole) == ([], 0, True)
    assert found.table == story.table


@pytest.mark.slow
@given(st.integers(0, 2**32), st.data())
@settings(max_examples=60, deadline=None)
def test_s41_no_seat_is_told_of_a_difference_because_leaves_are_shut(seed, data):
    story = troubled("pennies", seed)
    at = data.draw(st.integers(1, len(story.facts)))
    seat = data.draw(st.sampled_from([None, *range(len(story.table.chairs))]))
    found = retrace(history("pennies"), as_seen(story, seat, at))
    assert found.differences == []
    assert found.whole


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tammany-hall", "city-hall"])
def test_s41_nor_in_the_rulesets(kind):
    story = troubled(kind, 32)
    for at in range(20, len(story.facts), 61):
        for seat in (None, at % len(story.table.chairs)):
            found = retrace(history(kind), as_seen(story, seat, at))
            assert found.differences == []
            assert found.unchecked < at / 2


FREE = {
    "GameOpened": {"clock", "public", "seed_commitment"},
    "SeatTaken": {"player", "nonce_by"},
    "ClockProposed": {"seconds"},
    "RewindProposed": {"reason"},
    "Rewound": {"reason"},
    "SeatTakenOver": {"player"},
    "SeedRevealed": {"seed"},
    "PennyHidden": {"note"},
}
"""What people choose, and what is not for the rules to tell."""


def another(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return value + "x"
        case list():
            return [*value, 0]
        case dict():
            return value | {"9": 1}
        case None:
            return 0
    return None


def test_s41_no_other_value_of_any_field_is_what_the_rules_make():
    """Of a free choice, what follows from it tells; here nothing else is changed."""
    story = troubled("pennies", 10)
    for number, fact in enumerate(story.facts, 1):
        name = type(fact.event).__name__
        for field in set(fact.event.__struct_fields__) - FREE.get(name, set()):
            found = changed(story, number, **{field: another(getattr(fact.event, field))})
            assert found.differences or not found.whole, (number, fact.event, field)


def test_s41_no_event_can_be_left_out_or_told_twice():
    story = troubled("pennies", 10)
    for number in range(2, len(story.facts)):
        event = story.facts[number - 1].event
        free = isinstance(event, e.SeatTaken | PennyHidden)  # who has not acted yet may still
        if not free:
            assert without(story, number).differences, (number, event)
        entries = story.entries()
        entries.insert(number, entries[number - 1])
        again = [Entry(n, one.actor, one.cause, one.event, one.text) for n, one in enumerate(entries, 1)]
        if not isinstance(event, PennyHidden):  # a hand may be hidden anew
            assert retrace(history("pennies"), again).differences, (number, event)


# What a host could make up, and what it is called


@pytest.fixture(scope="module")
def tammany(pennies: None) -> Story:
    """A game of Tammany Hall by three."""
    return Story(TAMMANY_HALL, random.Random(3)).begin(3).play_out(quiet(0.9))


def first(found: Retraced) -> tuple[int, str, str]:
    difference = found.differences[0]
    return difference.version, difference.type, difference.rule


def test_s41_an_order_that_the_rules_refuse_is_named_with_its_rule(tammany):
    number = where(tammany, th.BossesPlaced)
    entries = tammany.entries()
    seat = entries[number - 1].actor["seat"]
    event = th.BossesPlaced(seat, [17, 17, 17])
    entries[number - 1] = Entry(number, {"seat": seat}, entries[number - 1].cause, event, "place 17 17")
    found = retrace(history("tammany-hall"), entries)
    assert first(found) == (number, "tammany-hall.bosses-placed", "TH-4.3")
    assert found.differences[0].sentence.startswith("the rules refuse it (inactive-ward): ")


def test_s41_an_order_out_of_turn_is_named(tammany):
    number = where(tammany, th.BossesPlaced)
    entries = tammany.entries()
    old = entries[number - 1]
    seat = (old.actor["seat"] + 1) % 3
    event = msgspec.structs.replace(old.event, seat=seat)
    entries[number - 1] = Entry(number, {"seat": seat}, old.cause, event, old.text)
    assert first(retrace(history("tammany-hall"), entries)) == (number, "tammany-hall.bosses-placed", "TH-4.2")


def test_s41_a_wrong_mayor_and_wrong_scores_are_named(tammany):
    elected = where(tammany, th.MayorElected)
    event = tammany.facts[elected - 1].event
    assert isinstance(event, th.MayorElected)
    assert event.mayor is not None
    found = changed(tammany, elected, mayor=(event.mayor + 1) % 3)
    assert first(found) == (elected, "tammany-hall.mayor-elected", "TH-11")
    assert f"“mayor” is {event.mayor}, not {(event.mayor + 1) % 3}" in found.differences[0].sentence
    over = where(tammany, e.GameFinished)
    assert first(changed(tammany, over, winners=[0, 1, 2])) == (over, "table.game-finished", "DESIGN-2")


def test_s41_a_game_cannot_end_before_its_end(tammany):
    number = where(tammany, th.TurnEnded)
    entries = tammany.entries()[:number]
    result = {"winners": [0], "scores": [9, 0, 0]}
    entries.append(Entry(number + 1, {"seat": 0}, entries[-1].cause, e.GameFinished(**result)))
    found = retrace(history("tammany-hall"), entries)
    assert [(one.version, one.type) for one in found.differences] == [(number + 1, "table.game-finished")]


def test_s41_a_caretaker_plays_no_more_than_the_smallest_legal_move():
    story = Story(PENNIES, random.Random(1)).begin(2)
    story.expire(0)
    hidden = where(story, PennyHidden)
    entries = story.entries()
    entries[hidden - 1] = Entry(hidden, {"clock": True}, entries[hidden - 1].cause, PennyHidden(0, 3, ""), "hide 3")
    found = retrace(history("pennies"), entries)
    assert [one.version for one in found.differences] == [hidden]
    assert "3" not in found.differences[0].sentence, "what was hidden is not told"


def test_s41_a_bot_plays_what_a_caretaker_would():
    story = Story(PENNIES, random.Random(1)).begin(3, 1)
    assert first(changed(story, where(story, PennyHidden), pennies=2))[0] == where(story, PennyHidden)


def test_s41_orders_are_followed_as_they_were_filed():
    story = Story(PENNIES, random.Random(2)).begin(2)
    assert story.file_orders(1, "hide 2")
    assert first(changed(story, where(story, PennyHidden), pennies=1))[0] == where(story, PennyHidden)
    followed = where(story, e.OrdersFollowed)
    assert first(without(story, followed))[0] == followed, "a seat does not hide anything by itself"


def test_s41_a_text_that_says_another_order_is_found():
    story = Story(PENNIES, random.Random(1)).begin(2)
    story.expire(0)
    entries = story.entries()
    number = where(story, PennyHidden)
    old = entries[number - 1]
    entries[number - 1] = Entry(number, old.actor, old.cause, old.event, "hide 1")
    assert "its text" in retrace(history("pennies"), entries).differences[0].sentence
    entries[number - 1] = Entry(number, old.actor, old.cause, old.event, "hide   0")
    assert not retrace(history("pennies"), entries).differences, "the same order, written otherwise"


def test_s41_a_move_by_somebody_else_is_found():
    story = Story(PENNIES, random.Random(1)).begin(2)
    story.move(0, Hide(1))
    entries = story.entries()
    old = entries[-1]
    entries[-1] = Entry(old.version, {"seat": 1}, old.cause, old.event, old.text)
    assert retrace(history("pennies"), entries).differences


def test_q12_going_back_across_an_opening_or_without_consent_is_found():
    story = Story(PENNIES, random.Random(1)).begin(2)
    story.move(0, Hide(1))
    before = len(story.facts)
    story.move(1, Hide(0))
    for to, rule in ((before, "Q-12"), (before - 1, "Q-12")):
        entries = [*story.entries(), Entry(len(story.facts) + 1, {"seat": 1}, "another", e.Rewound(to, 1, "slip", []))]
        found = retrace(history("pennies"), entries)
        assert first(found) == (len(story.facts) + 1, "table.rewound", rule)


def test_a_draw_that_is_not_in_the_bag_is_found_before_the_seed_is_known():
    story = Story(PENNIES, random.Random(1)).begin(2)
    number = where(story, PotDrawn)
    for result, ok in ((3, True), (6, False), (-1, False)):
        seen = as_seen(story, None, len(story.facts))
        old = seen[number - 1]
        event = msgspec.structs.replace(old.event, result=result)
        seen[number - 1] = Entry(number, old.actor, old.cause, event)
        assert (retrace(history("pennies"), seen).differences == []) == ok, result


def test_after_a_difference_the_rest_is_looked_at_all_the_same():
    story = Story(PENNIES, random.Random(5)).begin(2, options={"rounds": "3"}).play_out()
    taken = [where(story, PotTaken, nth) for nth in (0, 2)]
    entries = story.entries()
    for number in taken:
        old = entries[number - 1]
        event = msgspec.structs.replace(old.event, pennies=old.event.pennies + 1)
        entries[number - 1] = Entry(number, old.actor, old.cause, event, old.text)
    found = retrace(history("pennies"), entries)
    assert {one.version for one in found.differences} >= set(taken)
    assert found.whole


def test_a_history_that_opens_no_game_is_followed_no_further():
    story = Story(PENNIES, random.Random(5)).begin(2)
    found = changed(story, 1, seats=2**52)
    assert (found.whole, len(found.differences)) == (False, 1)


@pytest.mark.parametrize("kind", ["tammany-hall", "city-hall"])
def test_every_type_of_event_cites_a_rule(kind):
    from domain.audit.differences import CITED, TABLE, cited

    rules = {name: cited(event) for name, event in RULESETS[kind].decider.events.items()}
    assert all(CITED.fullmatch(rule) for rule in rules.values())
    own = [rule for rule in rules.values() if rule != TABLE]
    assert len(own) > 0.8 * len(rules)


def test_s41_an_audit_names_event_and_rule_of_an_illegal_move_hashed_well(tammany):
    number = where(tammany, th.BossesPlaced, 1)
    events = [json.loads(line) for line in tammany.export("k7x2m9qd4t")[:-1]]
    events[number - 1]["data"]["wards"] = [events[number - 1]["data"]["wards"][0]] * 3
    previous = GENESIS
    for event in events:
        event["previous"] = previous
        event["hash"] = previous = event_hash(hashed_part(event))
    report = audit([*map(canonical, events), canonical({"end": {"version": len(events), "hash": previous}})])
    told = {what: sentence for what, verdict, sentence in report.checks if verdict == "broken"}
    assert report.version == number
    assert told["rules"].startswith(f"event {number}: by the rules “wards” is ")
    assert "tammany-hall.bosses-placed, TH-6.2" in told["rules"]


def test_while_a_game_runs_what_is_open_is_checked_and_the_rest_is_counted():
    story = Story(PENNIES, random.Random(1)).begin(2)
    story.move(0, Hide(1))
    found = retrace(history("pennies"), as_seen(story, 1, len(story.facts)))
    assert (found.differences, found.unchecked) == ([], 1)


def test_s41_a_bank_holds_no_more_than_it_did_and_the_increment():
    story = Story(PENNIES, random.Random(1)).begin(2, bank="P1D", increment="PT1H")
    story.move(0, Hide(1))
    entries = story.entries()

    def verdicts(*left: int, cause: str = entries[-1].cause) -> list[str]:
        told = (Entry(len(entries) + n, {"clock": True}, cause, e.BankChanged(0, it)) for n, it in enumerate(left, 1))
        return [one.sentence for one in retrace(history("pennies"), [*entries, *told]).differences]

    for sound in (0, 3600, 86400):
        assert verdicts(sound) == []
    assert verdicts(86401), "more than the bank of the game"
    assert verdicts(7200, 10800), "one request takes once"
    assert verdicts(7200, cause="another"), "nobody asked for it"
    assert verdicts(-1)
    entries.append(Entry(len(entries) + 1, {"clock": True}, entries[-1].cause, e.BankChanged(0, 7200)))
    story.move(1, Hide(1))
    entries += [replace(one, version=one.version + 1) for one in story.entries()[len(entries) - 1 :]]
    later = entries[-1].cause
    assert verdicts(10800, cause=later) == []
    assert verdicts(10801, cause=later), "more than was left and the increment"


def test_q12_who_goes_back_has_what_was_in_the_bank_then():
    story = Story(PENNIES, random.Random(1)).begin(2, bank="P1D", increment="PT0S")
    story.move(0, Hide(1))
    entries = [*story.entries()]
    entries.append(Entry(len(entries) + 1, {"clock": True}, entries[-1].cause, e.BankChanged(0, 7200)))
    back = Entry(len(entries) + 1, {"seat": 0}, "back", e.Rewound(len(entries) - 2, 0, "slip", []))
    for left, sound in ((86400, True), (86401, False)):
        given = Entry(back.version + 1, {"clock": True}, "back", e.BankChanged(0, left))
        assert (retrace(history("pennies"), [*entries, back, given]).differences == []) is sound


def test_s41_without_a_bank_none_changes():
    story = Story(PENNIES, random.Random(1)).begin(2, bank="PT0S")
    story.move(0, Hide(1))
    told = Entry(len(story.facts) + 1, {"clock": True}, story.causes[-1], e.BankChanged(0, 0))
    assert retrace(history("pennies"), [*story.entries(), told]).differences


@pytest.mark.parametrize(("late", "reason", "sound"), [
    (False, "over", True), (False, "host", False), (True, "over", False), (True, "host", True),
])  # fmt: skip
def test_s41_a_pause_ends_by_itself_unless_it_waits_for_who_is_late(late, reason, sound):
    story = Story(PENNIES, random.Random(1)).begin(2, on_timeout="pause")
    if late:
        story.expire(0)
    else:
        assert story.propose_clock(0, "pause")
        assert story.answer(1, agrees=True)
    assert (story.table.paused, story.table.late) == (True, 0 if late else None)
    actor = {"host": story.table.host} if reason == "host" else {"clock": True}
    resumed = Entry(len(story.facts) + 1, actor, "another", e.ClockResumed(reason))
    assert (retrace(history("pennies"), [*story.entries(), resumed]).differences == []) is sound


def test_s41_what_is_open_and_says_nothing_is_not_taken_for_sealed():
    story = Story(PENNIES, random.Random(1)).begin(2)
    unknown = Entry(len(story.facts) + 1, {"seat": 0}, "another", e.OrdersFiled(0, None))
    found = retrace(history("pennies"), [*story.entries(), unknown])
    assert first(found) == (unknown.version, "table.orders-filed", "DESIGN-2")
    assert found.unchecked == 0
    sealed = retrace(history("pennies"), [*story.entries(), replace(unknown, shut=True)])
    assert (sealed.differences, sealed.unchecked) == ([], 1)


def test_s41_draws_are_not_believed_because_the_seed_is_open_and_null():
    story = Story(PENNIES, random.Random(1)).begin(2, options={"rounds": "3"}).play_out()
    assert any(one.draw for one in changed(story, 1, seed=None).differences)


def test_an_open_order_that_the_rules_refuse_is_found_while_leaves_are_shut():
    story = Story(PENNIES, random.Random(1)).begin(2)
    story.move(0, Hide(1))
    seen = as_seen(story, 1, len(story.facts))
    forged = Entry(len(seen) + 1, {"seat": 1}, "another", PotTaken(1, 3), "take")
    assert first(retrace(history("pennies"), [*seen, forged])) == (len(seen) + 1, "pennies.pot-taken", "P-3")


def test_orders_of_others_may_be_followed_before_ones_own():
    story = Story(PENNIES, random.Random(1)).begin(4)
    for seat in (0, 1):
        assert story.file_orders(seat, "hide 2")
    story.move(2, Hide(0))
    story.move(3, Hide(3))
    story.move(3, Take())  # the next round begins, in which both are followed
    assert [fact.event.seat for fact in story.facts if isinstance(fact.event, e.OrdersFollowed)] == [0, 1, 0, 1]
    for seat in (None, 0, 1, 2, 3):
        assert retrace(history("pennies"), as_seen(story, seat, len(story.facts))).differences == []


ORPHANS = [
    e.ClockResumed("agreed"),
    e.ClockPaused("agreed", 0),
    e.TimeExtended(3600),
    e.StrikesCleared(0),
    e.SeatVacated(0),
    e.CaretakerActed(0, "vacant"),
    e.OrdersDropped(0, "unfit"),
    e.OrdersDropped(0, "taken-back"),
    e.ProposalDropped(0, "played-on"),
    e.BankChanged(0, -1),
    e.GameAbandoned("nobody-left"),
    e.SeedRevealed("00" * 32),
]


@pytest.mark.parametrize("orphan", ORPHANS, ids=lambda event: type(event).__name__)
def test_what_nobody_asked_for_is_found(orphan):
    story = Story(PENNIES, random.Random(1)).begin(2)
    for actor in ({"clock": True}, {"seat": 0}, {"host": "p_anna"}):
        number = len(story.facts) + 1
        found = retrace(history("pennies"), [*story.entries(), Entry(number, actor, "another", orphan)])
        if isinstance(orphan, e.SeatVacated) and actor == {"seat": 0}:
            assert not found.differences, "a player may leave for good"
        else:
            assert found.differences[0].version == number
