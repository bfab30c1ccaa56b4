"""What others have kept of a history, receipts and signed headers of mails, held against it (T-4B, S-41).

What a header is worth is known before what it tells: anybody can write one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, Self

from domain.audit.checkpoints import Checkpoint, Signed, read_receipt
from domain.audit.signing_keys import Genuine
from domain.audit.verify_history import Report

WHAT: Final = "receipts"
Worth = Literal["word", "signed", "unlisted", "false"]
"""Of a witness: as good as who kept it; signed; signed with a key that the bundle does not list; shown to be false."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A receipt somebody kept, as text or in the header of a mail; `source` is what to call it."""

    source: str
    version: int
    receipt: str
    signed: Signed | None = None

    @classmethod
    def of_receipt(cls, text: str) -> Self:
        """A receipt as it was typed or copied. Raises ValueError with a sentence."""
        receipt = read_receipt(text)
        return cls(f"the receipt {receipt.text}", receipt.version, receipt.text)

    @classmethod
    def of_mail(cls, source: str, signed: Signed) -> Self:
        """What the header of a saved mail says."""
        return cls(source, signed.checkpoint.version, signed.checkpoint.receipt(), signed)


def hear(
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
        told = "None was given to hold against this history: those who play have one at the end of every mail."
        report.add(WHAT, "unchecked", told)
    game = next((entry["game"] for entry in entries if isinstance(entry, dict) and "game" in entry), None)
    ours = {one.source for one in witnesses if one.signed is None or one.signed.checkpoint.game == game}
    chained = all((what, verdict) != ("chain", "broken") for what, verdict, _ in report.checks)
    said = [(one, _worth(one, publics, genuine, noted=noted)) for one in sorted(witnesses, key=lambda one: one.version)]
    kept = [one.version for one, worth in said if chained and worth in ("word", "signed") and _fits(entries, one)]
    signer = "the host" if noted else "a key of this bundle"
    for one, worth in said:
        fits, elsewhere = _fits(entries, one), one.signed is not None and one.signed.checkpoint.game != game
        told = _told(one, entries, game, max((before for before in kept if before < one.version), default=0))
        by = f"; {signer} signed {'it' if fits else 'what it tells'}, with key {one.signed.key}" if one.signed else ""
        if elsewhere and one.source in ours:
            report.add(WHAT, "unchecked", f"{told}: that part of it was passed over.")
        elif worth == "false" or (worth == "unlisted" and (fits or elsewhere)):
            report.add(WHAT, "unchecked", f"{told}; but {_doubt(one, publics, noted=noted)}.")
        elif fits:
            sure = " and, with it, all before it" * chained
            report.add(WHAT, "verified", f"{told}{sure}{by * (worth == 'signed')}.")
        elif elsewhere:  # also alone: a history under another id would make every mail one about another game
            report.add(WHAT, "broken", f"{told}: it is no witness of this history.")
        else:
            report.blame(WHAT, one.version, f"{told}{by * (worth == 'signed')}.")


def _worth(witness: Witness, publics: Mapping[str, str] | None, genuine: Genuine, *, noted: bool) -> Worth:
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


def _told(witness: Witness, entries: Sequence[Any], game: Any, kept: int) -> str:
    """What a witness tells, if it is true; `kept` is the last event before its own that another one fits, or 0."""
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
    other = "" if signed else ", or this receipt is one of another game"
    return (
        f"the mail told of another event {version}: what comes before or at it was rewritten{since}{other} "
        f"({witness.source})"
    )
