"""The page of audit bundles, sentence by sentence: what it forbids both verifiers find, and they agree on all of it."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.audit.bundle.schema import KINDS
from domain.audit.bundle.verify import check
from domain.history.codec import history
from domain.rulesets import RULESETS
from service.integrity.export_bundle import TOLD
from tests.audit.bundles import genuine
from tests.audit.drafts import BASES, LASTING, OPENING, Base, remade
from tests.audit.faults import FOUND, HISTORY, Fault
from tests.audit.programs import AUDIT, program

PAGE = " ".join((AUDIT / "format.md").read_text().split())
Judge = Callable[[bytes], list[str]]


@pytest.fixture(scope="module")
def other() -> Any:
    """The verifier that was written from the page alone, with quick signatures: its own are checked elsewhere."""
    module = program("verify_bundle")

    def distrust(keys: Any, signed: Any, purpose: str, message: bytes, where: str = "") -> str:
        purposed = f"wardroom-{purpose}-v1\n".encode() + message
        holds = genuine(keys[signed["key"]], purposed, signed["signature"])
        return "" if holds else f"{where}the signature by key {signed['key']} does not hold"

    module.distrust = distrust
    return module


def broken_by_us(data: bytes) -> list[str]:
    return [f"{what}: {sentence}" for what, verdict, sentence in check(data, genuine).checks if verdict == "broken"]


def broken_by_the_other(other: Any, data: bytes) -> list[str]:
    return [line for line in other.Check(data).lines if line.startswith("broken")]


@pytest.mark.parametrize("base", BASES)
def test_s41_what_is_as_the_page_has_it_holds(base, other):
    data = remade(BASES[base], HISTORY, lambda events: None)
    assert broken_by_us(data) == []
    assert broken_by_the_other(other, data) == []


def name(fault: Fault) -> str:
    return f"{fault.stage}-{fault.words[:40]}"


@pytest.mark.parametrize("fault", FOUND, ids=name)
def test_s41_a_sentence_of_the_page_that_is_broken_is_found_by_both_verifiers(fault, other):
    data = remade(BASES[fault.base], fault.stage, fault.change)
    for found in (broken_by_us(data), broken_by_the_other(other, data)):
        assert found
        assert re.search(fault.named.replace(".json", ""), "\n".join(found)), found


def sentences() -> list[str]:
    """What the sections about files say, sentence by sentence; samples of files, tables and headlines aside."""
    text = (AUDIT / "format.md").read_text()
    text = text[text.index("## 1.") : text.index("## 10.")]
    kept = [line for line in text.split("\n") if not line.startswith(("    ", "|", "#"))]
    joined = " ".join("\n".join(kept).split())
    return [part for part in re.split(r"(?<=[.;]) (?=[A-Z`*0-9-])", joined) if part]


MEANT = (
    "*Canonical JSON*: RFC 8785", "RFC 8032, pure", "What is signed begins", "A ZIP file", "All numbers are little",
    "A history with leaves left out", "`data` may hold more", "Players appear as opaque", "The game stands where",
    "They stay in the history", "Events that record what a table agreed", "An event that records a player's action",
    "That `items` are what the rules", "`board` is what is printed", "Table talk, invitations", "compare them with",
    "Whoever steals a key", "Nothing in a bundle", "what was made before may be signed",
    "`GET …/checkpoint` and mails sign", "else the answer is 503", "`since` is when a key",
    "`items` are what was drawn", "There `host` is the player",
)  # fmt: skip
"""Sentences that say what is meant, or what no file can show."""
ELSEWHERE = {
    "Every byte of the archive": "test_s40_every_part_of_the_archive_counts",
    "Nothing before, between or after": "test_s40_what_follows_or_is_left_off_is_found",
    "Public keys are 64 hex": "test_signatures_of_another_program_hold_and_no_other_bits",
    "A public key of small order": "test_a_signature_has_one_encoding_and_a_key_of_small_order_signs_nothing",
    "leaves for nobody are shut": "test_s01_standing_orders_and_replaced_bids_stay_shut",
    "No other type opens": "test_s41_leaves_are_open_to_others_once_they_were_opened_to_all_and_not_before",
    "Never opened that way": "test_s01_standing_orders_and_replaced_bids_stay_shut",
    "After `table.rewound` the last leaves": "test_s01_what_is_taken_back_is_not_opened",
    "`to` must itself stand": "test_s41_a_table_goes_back_to_what_stands_alone",
    "- Key = HMAC-SHA-256": "test_s43_the_verifier_computes_the_primitive_vectors",
    "- Words: draw": "test_s43_the_verifier_computes_the_primitive_vectors",
    "- sample(items, k)": "test_s43_samples_are_even",
    "`GET /api/v1/games/ID/checkpoint` answers": "test_s41_a_header_has_each_field_once_in_any_order",
    "Read it without regard to case": "test_s41_receipts_are_read_as_people_type_them",
    "a blank or a dash at least": "test_s41_a_receipt_of_which_a_letter_is_missing_is_none_of_another_event",
    "The last letter checks the others": "test_s41_the_check_letter_of_a_receipt_is_one_and_finds_each_letter",
    "One that does not fit was mistyped": "test_s41_the_check_letter_of_a_receipt_is_one_and_finds_each_letter",
    "What stands around it": "test_s41_receipts_are_read_as_people_type_them",
    "A history whose event 17": "test_s41_a_history_written_anew_differs_from_every_receipt",
    "The header's signature proves": "test_s45_a_host_does_not_clear_itself_by_leaving_a_key_out_of_the_bundle",
    "Anybody can write a header": "test_s45_what_a_mail_is_worth_is_known_before_what_it_tells",
    "if none were noted": "test_s45_what_a_mail_is_worth_is_known_before_what_it_tells",
    "One about another game": "test_a_mail_about_another_game_is_no_witness",
    "In an export there are no keys": "test_s45_a_saved_mail_is_a_witness_folded_or_not",
    "A receipt that is typed": "test_t4b_a_receipt_that_fits_is_said_to",
}
"""What no single change of a bundle breaks, and the test that shows it."""


def test_s41_every_sentence_of_the_page_is_broken_or_shown_elsewhere_or_only_says_what_is_meant():
    told = [" ".join(fault.words.split()) for fault in FOUND]
    assert [words for words in told if words not in PAGE] == []
    left = [
        sentence
        for sentence in sentences()
        if not any(words in sentence or sentence.strip("- .") in words for words in told)
        and not any(begin in sentence for begin in (*MEANT, *ELSEWHERE))
    ]
    assert left == []
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    assert [test for test in ELSEWHERE.values() if f"def {test}" not in tests] == []


def test_s41_the_page_names_what_the_rules_have():
    """Types that open leaves, types whose leaves last, and kinds of notices."""
    for kind in ("tammany-hall", "city-hall"):
        names = {name: event for event, name in history(kind).names.items()}
        opening = {name for name, event in names.items() if event.OPENS}
        assert opening <= {OPENING, "table.seed-revealed"}
        assert {name for name, event in names.items() if event.LASTS} == set(LASTING)
        assert all(f"`{name}`" in PAGE for name in (*opening, *LASTING))
    assert set(KINDS) == set(TOLD)
    listed = PAGE[PAGE.index("`kind` is one of") : PAGE.index("`state` is `queued`")]
    assert all(f"`{kind}`" in listed for kind in KINDS)
    assert set(RULESETS) >= {"tammany-hall", "city-hall"}


def test_s41_a_table_goes_back_to_what_stands_alone(other):
    """A second going back, into the branch that the first has undone."""

    def again(events: list[Any]) -> None:
        events.append(events[39] | {"version": 81, "at": events[-1]["at"], "data": events[39]["data"] | {"to": 30}})

    data = remade(BASES["running"], HISTORY, again)
    assert any("event 81" in line for line in broken_by_us(data))
    assert "broken     table: event 81: its to is no event before it that stands" in broken_by_the_other(other, data)


def opened(version: int) -> Callable[[list[Any]], None]:
    """Open a leaf that the reader has shut, as its keeper could."""
    leaf = BASES["running"].all_events()[version - 1]["sealed"]
    return lambda events: events[version - 1].update(sealed=leaf)


@pytest.mark.parametrize("version", [1, 44, 79], ids=["the seed", "orders", "a bid of another seat"])
def test_s01_standing_orders_and_replaced_bids_stay_shut(version, other):
    data = remade(BASES["running"], HISTORY, opened(version))
    for found in (broken_by_us(data), broken_by_the_other(other, data)):
        assert any(f"event {version}:" in line for line in found), found


@pytest.mark.parametrize("file", ["tammany-hall-troubled-6", "tammany-hall-troubled-18", "tammany-hall-replaced-4"])
def test_s01_what_is_taken_back_is_not_opened(file, other):
    """Games that went back and in which bids were replaced, as each seat has them in their midst."""
    for reader in (None, 0, 2):
        data = remade(Base(file, 190, reader), HISTORY, lambda events: None)
        assert (broken_by_us(data), broken_by_the_other(other, data)) == ([], [])


def test_s40_bundles_as_they_are_have_no_faults(other):
    """The vectors, but for the first ones' kind of notice that never was, and the archive's quick games."""
    for file in ("tammany-hall-closed-0", "city-hall-closed-0", "tammany-hall-deserted-2"):
        data = remade(Base(file), HISTORY, lambda events: None)
        assert (broken_by_us(data), broken_by_the_other(other, data)) == ([], [])
