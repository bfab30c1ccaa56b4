"""Receipts that others have kept of a history, typed or in signed headers of mails, held against it (T-4B, S-41).

Whether a header can be trusted is known before its claim is looked at: anybody can write one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, Literal, Self

from domain.audit.checkpoints import Checkpoint, Signed, read_receipt
from domain.audit.signing_keys import Genuine
from domain.audit.verify_history import Report

WHAT: Final = "receipts"
Trust = Literal["word", "signed", "unlisted", "false"]
"""In a witness: only as trustworthy as the person who kept it; signed; signed with a key that the bundle does not list;
shown to be false."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A receipt somebody kept, as text or in the header of a mail; `source` is what to call it."""

    source: str
    version: int
    receipt: str
    signed: Signed | None = None
    checked: bool = True
    """Whether a letter that was mistyped would have been found before."""

    @classmethod
    def of_receipt(cls, text: str) -> Self:
        """A receipt as it was typed or copied. Raises ValueError with a sentence."""
        receipt = read_receipt(text)
        shown = receipt.text if receipt.checked else receipt.text.rpartition("-")[0]
        return cls(f"the receipt {shown}", receipt.version, receipt.text, checked=receipt.checked)

    @classmethod
    def of_mail(cls, source: str, signed: Signed) -> Self:
        """What the header of a saved mail says."""
        return cls(source, signed.checkpoint.version, signed.checkpoint.receipt(), signed)


@dataclass(frozen=True, slots=True)
class Finding:
    """A witness held against a history: its claim as a clause, and whether the history agrees."""

    witness: Witness
    trust: Trust
    claim: str
    fits: bool
    elsewhere: bool
    """Whether it is signed for another game."""

    @property
    def is_doubtful(self) -> bool:
        """Whether it proves nothing: it is false, or a key nobody lists says what any forger could."""
        return self.trust == "false" or (self.trust == "unlisted" and (self.fits or self.elsewhere))


def check_receipts(
    report: Report,
    entries: Sequence[Any],
    witnesses: Sequence[Witness],
    publics: Mapping[str, str] | None,
    genuine: Genuine,
    *,
    noted: bool,
) -> None:
    """Hold every witness against the events of a history.

    `publics` are the keys that count, by id, None where there are none to check with; `noted` whether they are the
    host's, and not only what the bundle says they are.
    """
    if not witnesses:
        missing = "None was given to hold against this history: those who play have one at the end of every mail."
        report.add(WHAT, "unchecked", missing)
    game = next((entry["game"] for entry in entries if isinstance(entry, dict) and "game" in entry), None)
    sources = {witness.source for witness in witnesses if not _is_elsewhere(witness, game)}
    chained = all((check, verdict) != ("chain", "broken") for check, verdict, _ in report.checks)
    for finding in _findings(entries, game, witnesses, publics, genuine, noted=noted, chained=chained):
        witness, claim = finding.witness, finding.claim
        if finding.elsewhere and witness.source in sources:
            report.add(WHAT, "unchecked", f"{claim}: that part of it was passed over.")
        elif finding.is_doubtful:
            report.add(WHAT, "unchecked", f"{claim}; but {_doubt(witness, publics, noted=noted)}.")
        elif finding.fits:
            before = " and, with it, all before it" if chained else ""
            report.add(WHAT, "verified", f"{claim}{before}{_signer(finding, noted=noted)}.")
        elif finding.elsewhere:  # also alone: a history under another id would make every mail one about another game
            report.add(WHAT, "broken", f"{claim}: it is no witness of this history.")
        else:
            report.blame(WHAT, witness.version, f"{claim}{_signer(finding, noted=noted)}.")


def _findings(
    entries: Sequence[Any],
    game: Any,
    witnesses: Sequence[Witness],
    publics: Mapping[str, str] | None,
    genuine: Genuine,
    *,
    noted: bool,
    chained: bool,
) -> Iterator[Finding]:
    """The findings in the order of the events they are about."""
    kept = 0  # the last event, before those of this version, that a witness to be trusted has seen as it is
    for _, group in groupby(sorted(witnesses, key=attrgetter("version")), attrgetter("version")):
        found = []
        for witness in group:
            trust = _trust(witness, publics, genuine, noted=noted)
            claim, fits = _claim(witness, entries, game, kept), _fits(entries, witness)
            found.append(Finding(witness, trust, claim, fits, _is_elsewhere(witness, game)))
        yield from found
        if chained and any(finding.fits and finding.trust in ("word", "signed") for finding in found):
            kept = found[0].witness.version


def _is_elsewhere(witness: Witness, game: Any) -> bool:
    return witness.signed is not None and witness.signed.checkpoint.game != game


def _signer(finding: Finding, *, noted: bool) -> str:
    """Whose signature is on a claim, as the end of a sentence; "" where there is none that counts."""
    signed = finding.witness.signed
    if signed is None or finding.trust != "signed":
        return ""
    signer = "the host" if noted else "a key of this bundle"
    return f"; {signer} signed {'it' if finding.fits else 'what it tells'}, with key {signed.key}"


def _trust(witness: Witness, publics: Mapping[str, str] | None, genuine: Genuine, *, noted: bool) -> Trust:
    signed = witness.signed
    if signed is None or publics is None:
        return "word"
    if signed.key not in publics:
        return "false" if noted else "unlisted"
    return "signed" if genuine(publics[signed.key], signed.checkpoint.message(), signed.signature) else "false"


def _doubt(witness: Witness, publics: Mapping[str, str] | None, *, noted: bool) -> str:
    """Why a header proves nothing, and what would."""
    assert witness.signed is not None
    assert publics is not None
    key = witness.signed.key
    if key in publics:
        why = f"its signature is not that of key {key}"
    else:
        why = f"its key {key} is none of those {'that can be trusted' if noted else 'of this bundle'}"
    return f"{why}, so it proves nothing to others: who had it from the host itself gives its receipt {witness.receipt}"


def _fits(entries: Sequence[Any], witness: Witness) -> bool:
    if not 1 <= witness.version <= len(entries):
        return False
    entry = entries[witness.version - 1]
    if not isinstance(entry, dict) or not {"game", "hash", "at"} <= entry.keys():
        return False
    return Checkpoint(entry["game"], witness.version, entry["hash"], entry["at"]).receipt() == witness.receipt


def _claim(witness: Witness, entries: Sequence[Any], game: Any, kept: int) -> str:
    """The claim of a witness, in a clause; `kept` is the last event before its own that another one fits, or 0."""
    signed, version = witness.signed, witness.version
    if signed is not None and signed.checkpoint.game != game:
        return f"{witness.source} tells of game {signed.checkpoint.game}, and this is {str(game)[:40]}"
    if version > len(entries):
        return (
            f"{witness.source} tells of event {version}, and this history ends with event {len(entries)}: it was cut, "
            "or made before that mail"
        )
    if _fits(entries, witness):
        return f"{witness.source} fits event {version}"
    since = f" (not before event {kept + 1}: event {kept} is as another receipt has it)" if kept else ""
    rewritten = f"the mail told of another event {version}: what comes before or at it was rewritten{since}"
    if signed:
        return f"{rewritten} ({witness.source})"
    if witness.checked:
        return f"{rewritten}, or this receipt is one of another game ({witness.source})"
    return (
        f"{witness.source} was mistyped, or is one of another game: compare it with the mail, letter by letter. If it "
        f"is neither, {rewritten}"
    )
