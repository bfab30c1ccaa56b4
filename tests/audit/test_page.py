"""The page of audit bundles: a vector breaks every sentence of it, or another test shows it."""

import re
from pathlib import Path

from domain.audit.bundle.schema import KINDS
from domain.history.codec import history
from domain.rulesets import RULESETS
from service.integrity.export_bundle import TOLD
from tests.audit.programs import AUDIT
from tests.audit.vectors import GROUPS, clock
from tests.audit.vectors.bases import LASTING, OPENING
from tests.audit.vectors.page import FOUND

PAGE = " ".join((AUDIT / "format.md").read_text().split())


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
    "A *request* is the events", "- The terms are `clock`", "`quiet_hours` is true or false", "What else is in them",
    "- The clock stands from", "- A seat that answers in a request with",
    "`items` are what was drawn", "There `host` is the player",
)  # fmt: skip
"""Sentences that say what is meant, or what no file can show."""
ELSEWHERE = {
    "Every byte of the archive": "damage.archives",
    "Nothing before, between or after": "damage.archives",
    "Public keys are 64 hex": "test_signatures_of_another_program_hold_and_no_other_bits",
    "A public key of small order": "test_a_signature_has_one_encoding_and_a_key_of_small_order_signs_nothing",
    "leaves for nobody are shut": "hosts.cheating",
    "No other type opens": "hosts.cheating",
    "Never opened that way": "hosts.cheating",
    "After `table.rewound` the last leaves": "hosts.good",
    "`to` must itself stand": "hosts.cheating",
    "- Key = HMAC-SHA-256": "test_s43_the_verifier_computes_the_primitive_vectors",
    "- Words: draw": "test_s43_the_verifier_computes_the_primitive_vectors",
    "- sample(items, k)": "test_s43_samples_are_even",
    "`GET /api/v1/games/ID/checkpoint` answers": "test_s41_a_header_has_each_field_once_in_any_order",
    "Read it without regard to case": "test_s41_receipts_are_read_as_people_type_them",
    "a blank or a dash at least": "test_s41_a_receipt_of_which_a_letter_is_missing_is_none_of_another_event",
    "The last letter checks the others": "test_s41_the_check_letter_of_a_receipt_is_one_and_finds_each_letter",
    "One that does not fit was mistyped": "test_s41_the_check_letter_of_a_receipt_is_one_and_finds_each_letter",
    "What stands around it": "test_s41_receipts_are_read_as_people_type_them",
    "A history whose event 17": "kept.rewritten",
    "The header's signature proves": "test_s45_a_host_does_not_clear_itself_by_leaving_a_key_out_of_the_bundle",
    "Anybody can write a header": "kept.mails",
    "if none were noted": "kept.mails",
    "One about another game": "kept.mails",
    "In an export there are no keys": "test_s45_a_saved_mail_is_a_witness_folded_or_not",
    "A receipt that is typed": "test_t4b_a_receipt_that_fits_is_said_to",
}
"""Sentences that no single change of a bundle breaks, and the test or the vectors that show them."""


def test_s41_every_sentence_of_the_page_is_broken_or_shown_elsewhere_or_only_says_what_is_meant():
    told = [" ".join(fault.words.split()) for fault in (*FOUND, *clock.spoilings())]
    assert [words for words in told if words not in PAGE] == []
    left = [
        sentence
        for sentence in sentences()
        if not any(words in sentence or sentence.strip("- .") in words for words in told)
        and not any(begin in sentence for begin in (*MEANT, *ELSEWHERE))
    ]
    assert left == []
    tests = "".join(path.read_text() for path in Path(__file__).parent.glob("test_*.py"))
    vectors = {f"{kind.__module__.rpartition('.')[2]}.{kind.__name__}" for kind in GROUPS.values()}
    assert [shown for shown in ELSEWHERE.values() if f"def {shown}" not in tests and shown not in vectors] == []


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
