"""Every field of every event, changed: found and named, by the verifier that knows the rules and the one that does not.

Games of each ruleset, with what can befall a game: taken back, ordered ahead, late, closed, under way.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from domain.audit.bundle.archive import FILES, archive, unpack
from domain.audit.bundle.verify import check
from domain.audit.bundle.write import document
from domain.audit.checkpoints import Checkpoint
from domain.audit.receipts import Witness
from domain.audit.verify_history import Report
from domain.city_hall import CITY_HALL
from domain.rulesets import RULESETS
from domain.table.play import settle
from domain.table.record import seat_actor
from domain.table.standing_orders import file_orders
from domain.tammany_hall import TAMMANY_HALL
from tests.audit.bundles import HOST, Host, bundled, entries_of, genuine
from tests.audit.programs import program
from tests.audit.spoiling import changed, entries_in, in_place, other, paths, refitted, rehashed, repacked
from tests.domain.table.gamebook import Game, begin, play_out
from tests.domain.table.pennies import PENNIES

THIEF = Host("thief")


def orders(game: Game, seat: int, text: str) -> Game:
    def file(record: Any) -> None:
        file_orders(record, seat, PENNIES.standing_orders.parse(text, PENNIES.notation.pawns))
        settle(record, seat_actor(seat))

    return game.step(file)


def pennies() -> Game:
    """Two rounds of everything: replaced, taken back by consent, ordered ahead, late, voted on."""
    game = begin().move(1, "hide 1 maybe").move(1, "hide 3 rather").move(0, "hide 0").undo(0).move(0, "hide 2")
    game = orders(game, 1, "take").propose_clock(0, "pause", 7200).disagree(1)
    game = game.expire(2).move(2, "hide 2 again").move(0, "hide 2").move(1, "hide 1")
    return game if game.table.status != "running" else play_out(game, random.Random(4))


def closed(rules: Any, *people: str) -> Game:
    """A short game of a real ruleset: nobody comes back, and it is abandoned."""
    game = begin(*people, rules=rules, clock={"strikes": 1})
    while game.table.status == "running":
        game = game.expire(min(rules.decider.awaiting(game.table.game)))
    return game


def whole(rules: Any, seed: int) -> Game:
    return play_out(begin("ann", "bob", rules=rules, bots=rules.seats[0] - 2), random.Random(seed), late=0.05)


def under_way() -> Game:
    return begin().move(0, "hide 1").move(1, "hide 3 rather").move(1, "hide 2").propose_clock(2, "extend", 7200)


MADE: dict[str, Callable[[], tuple[Game, int | None]]] = {
    "pennies": lambda: (pennies(), None),
    "pennies under way, as seat 1 sees it": lambda: (under_way(), 1),
    "tammany hall, closed": lambda: (closed(TAMMANY_HALL, "ann", "bob", "cyd"), None),
    "city hall, closed": lambda: (closed(CITY_HALL, "ann", "bob"), None),
    "tammany hall": lambda: (whole(TAMMANY_HALL, 1), None),
    "city hall": lambda: (whole(CITY_HALL, 2), None),
}
SMALL = ("pennies", "pennies under way, as seat 1 sees it")
EVERY = {"pennies": 3, "pennies under way, as seat 1 sees it": 2, "tammany hall, closed": 11, "city hall, closed": 17}
"""One field of that number is changed; with `--long` each in the games that have a little of everything."""


@cache
def game(name: str) -> Game:
    return MADE[name]()[0]


@cache
def made(name: str) -> bytes:
    return bundled(*MADE[name]())


@pytest.fixture(autouse=True, scope="module")
def _pennies() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(RULESETS, PENNIES.kind, PENNIES)  # type: ignore[arg-type]
        yield


Judge = Callable[..., tuple[bool, list[str]]]
"""The other verifier, by a bundle and receipts: whether a bundle holds, and the lines that say what is broken."""


@pytest.fixture(scope="module")
def judge() -> Judge:
    """The verifier that was written from the page alone; the same signature is not checked twice, as that is slow."""
    module = program("verify_bundle")
    distrust = module.distrust  # what it calls the check of a signature
    known: dict[str, Any] = {}

    def remembered(*about: Any) -> Any:
        return known[repr(about)] if repr(about) in known else known.setdefault(repr(about), distrust(*about))

    module.distrust = remembered

    def judged(data: bytes, *words: str) -> tuple[bool, list[str]]:
        told = [(word, telling) for word in words for telling in module.tellings(word)]
        found = module.Check(data, told)
        return found.sound, [line for line in found.lines if line.startswith("broken")]

    return judged


def names(report: Report, version: int) -> bool:
    """Whether a broken line names this event."""
    return any(verdict == "broken" and f"event {version}:" in sentence for _, verdict, sentence in report.checks)


def found(data: bytes, version: int, **more: Any) -> Report:
    """The report on a bundle whose event was changed: it names the event."""
    report = check(data, genuine, **more)
    assert not report.ok
    assert names(report, version), (version, [line for line in report.checks if line[1] == "broken"])
    return report


def found_by_the_other(judge: Judge, data: bytes, version: int, *words: str) -> None:
    holds, broken = judge(data, *words)
    assert not holds
    assert any(re.search(rf"\bevent {version}(:| was rewritten)", line) for line in broken), (version, broken)


@pytest.mark.parametrize("name", MADE)
def test_every_bundle_of_the_corpus_holds_and_the_other_verifier_agrees(name, judge):
    kept = Witness.of_receipt(receipt(entries_in(made(name))[-1]))
    report = check(made(name), genuine, noted=HOST.keys()[:1], witnesses=[kept])
    assert report.ok, report.checks
    verdicts = {verdict for _, verdict, _ in report.checks}
    assert verdicts == ({"verified", "open"} if "under way" in name else {"verified"})
    if name in SMALL:
        return  # the page has no draws of a ruleset that only tests play
    assert judge(made(name)) == (True, [])


def test_the_corpus_has_a_game_taken_back_one_ordered_ahead_and_one_with_leaves_that_stay_shut():
    types = {entry["type"] for entry in entries_in(made("pennies"))}
    assert {"table.rewound", "table.orders-filed", "table.turn-expired", "table.game-finished"} <= types
    under = entries_in(made("pennies under way, as seat 1 sees it"))
    assert {"salt" in leaf for entry in under for leaf in entry["sealed"]} == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_f52_every_field_of_every_event_changed_is_found_and_the_event_is_named(name, judge, request):
    data, count = made(name), 0
    every = 1 if name in SMALL and request.config.getoption("--long") else EVERY[name]
    for number, entry in enumerate(entries_in(data), 1):
        for path in paths(entry):
            count += 1
            if (count + number) % every:
                continue
            spoiled = changed(entry, path)
            report = found(repacked(data, entry, spoiled), number)
            assert report.version == number, path
            assert any(what == "signature.json" and verdict == "broken" for what, verdict, _ in report.checks)
            if count % 4 == 0 and len(document(spoiled)) == len(document(entry)):
                report = found(in_place(data, entry, spoiled), number)
                named = [line for what, verdict, line in report.checks if (what, verdict) == ("archive", "broken")]
                assert any("events.ndjson" in line and "byte" in line for line in named)
            if count % 4 == 0:
                found_by_the_other(judge, repacked(data, entry, spoiled), number)
    assert count > 100


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tammany hall", "city hall"])
def test_f52_a_field_of_an_event_of_a_whole_game_changed_is_found_and_the_event_is_named(name):
    data, chance = made(name), random.Random(52)
    entries = entries_in(data)
    for number in chance.sample(range(1, len(entries) + 1), 24):
        entry = entries[number - 1]
        found(repacked(data, entry, changed(entry, chance.choice(list(paths(entry))))), number)


@pytest.mark.parametrize("name", ["pennies", "city hall, closed"])
def test_t4b_a_history_rewritten_by_its_keeper_and_signed_anew_is_found_by_receipts_and_keys(name, judge):
    """Whatever is changed, the first receipt of it or after it does not fit, and those before do."""
    entries, ends = entries_of(game(name)), [end for end in game(name).ends if end]
    kept = [Witness.of_receipt(receipt(entries[end - 1])) for end in ends]
    chance, done = random.Random(4), 0
    for number in range(1, len(entries) + 1):
        fields = [path for path in paths(entries[number - 1]) if path[0] in ("actor", "cause", "at", "data")]
        path = chance.choice(fields)
        forged = rehashed([*entries[: number - 1], changed(entries[number - 1], path), *entries[number:]])
        try:
            data = THIEF.bundles(forged, ends)
        except Exception:  # no bundle can be made of what is no game any more
            continue
        done += 1
        report = check(data, genuine, witnesses=kept, noted=HOST.keys())
        assert not report.ok
        bad = sorted(end for end in ends if names_rewritten(report, end))
        assert bad == [end for end in ends if end >= number], (path, bad)
        assert [what for what, verdict, _ in report.checks if verdict == "broken" and what == "keys"]
        assert any(THIEF.id in sentence for _, verdict, sentence in report.checks if verdict == "broken")
        if done % 8 == 0:
            found_by_the_other(judge, data, bad[0], receipt(entries[bad[0] - 1]))
    assert done > len(entries) // 2


def receipt(entry: dict[str, Any]) -> str:
    return Checkpoint(entry["game"], entry["version"], entry["hash"], entry["at"]).receipt()


def names_rewritten(report: Report, version: int) -> bool:
    told = f"event {version}: the mail told of another event {version}: what comes before or at it was rewritten"
    return any(what == "receipts" and sentence.startswith(told) for what, _, sentence in report.checks)


def test_g09_no_flipped_bit_of_any_part_of_the_archive_goes_unseen(judge):
    data, chance = made("pennies under way, as seat 1 sees it"), random.Random(9)
    places = {0, 1, len(data) - 1, len(data) - 22, *chance.sample(range(len(data)), 60)}
    files, at = unpack(data), 0
    for name in FILES:
        header, size = 30 + len(name), len(files[name])
        places |= {
            at + chance.randrange(header),
            at + header,
            at + header + size - 1,
            at + header + chance.randrange(size),
        }
        at += header + size
    places |= set(chance.sample(range(at, len(data)), 60))
    for place in sorted(places):
        spoiled = data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]
        report = check(spoiled, genuine)
        assert not report.ok, place
        told = [sentence for what, verdict, sentence in report.checks if (what, verdict) == ("archive", "broken")]
        assert told, place
        if place % 3 == 0:
            assert not judge(spoiled)[0], place


OTHERS = (*(name for name in FILES if name.endswith(".json") and name != "manifest.json"),)
HOSTS_WORD = {
    "rules.json": {"edition", "schemas"},
    "notices.json": {"kind", "queued", "seat", "sent", "state", "version"},
}
"""What a history need not belie: that it was changed shows in the signature alone."""


@pytest.mark.parametrize("file", OTHERS)
def test_s40_every_field_of_every_other_file_changed_is_found_in_that_file(file, judge):
    files = unpack(made("pennies"))
    value = json.loads(files[file])
    everything = list(paths(value))
    for path in everything[:: max(1, len(everything) // 60)]:
        data = refitted(files | {file: document(changed(value, path))})
        report = check(data, genuine)
        assert not judge(data)[0], path
        broken = {what for what, verdict, _ in report.checks if verdict == "broken"}
        assert "signature.json" in broken
        assert file in broken or HOSTS_WORD.get(file, set()) & set(path), (path, report.checks)


def test_s40_every_field_of_the_manifest_changed_is_found(judge):
    files = unpack(made("pennies"))
    value = json.loads(files["manifest.json"])
    for path in paths(value):
        data = archive(files | {"manifest.json": document(changed(value, path))})
        report = check(data, genuine)
        assert not judge(data)[0], path
        assert {"manifest.json", "signature.json"} <= {
            what for what, verdict, _ in report.checks if verdict == "broken"
        }


def test_other_is_another():
    for value in (True, None, 0, 10, 17, "", "a", "0", [], {}):
        assert other(value) != value
