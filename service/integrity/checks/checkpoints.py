"""Checkpoints and keys: what was signed is what is kept, and nothing that was signed is gone (S-44)."""

from collections.abc import Iterator, Mapping
from typing import Any

from domain.audit.checkpoints import Checkpoint
from domain.audit.signing_keys import endorsement_message, key_id
from service.integrity.checks.findings import Finding, Weight
from service.integrity.checks.history_walk import Walk
from service.kernel.clock import from_text, text
from service.kernel.signing import Signer, genuine
from service.store.across.audit_rows import Rows, first_signatures, raw, signing_key_rows
from service.store.database import Connection
from service.store.event_store.checkpoints import EARLIER, SigningKey, StoredCheckpoint


def findings(rows: Rows) -> Iterator[Finding]:
    """Whether each checkpoint was signed, and is of an event that is there and the same."""
    events = {row.version: row for row in rows.events}
    for row in rows.checkpoints:
        version, event = row.version, events.get(row.version)
        key = rows.keys.get(row.key)
        if key is None:
            yield _finding(rows, version, "key", "It is signed by a key that is not among the signing keys.")
        elif not genuine(key.public, _message(row), row.signature):
            yield _finding(
                rows, version, "signature", "It is not genuine: one of hash, time, number and signature was changed."
            )
        elif event is None:
            yield _finding(rows, version, "", "The event it was signed for is gone: the history was cut after that.")
        elif event.hash != row.hash:
            yield _finding(rows, version, "hash", "Another event was signed: the history was rewritten after that.")


def against(rows: Rows, entries: list[dict[str, Any]], walk: Walk) -> Iterator[Finding]:
    """Check that the checkpoints of a history that holds tell its times, and are complete."""
    kept = {row.version: row for row in rows.checkpoints}
    for row in rows.checkpoints:
        version = row.version
        if version <= len(entries) and row.at != from_text(entries[version - 1]["at"]):
            yield _finding(rows, version, "at", "It is not the time of its event.")
    since = min((row.since for row in rows.keys.values() if isinstance(row.since, int)), default=None)
    for version in walk.ends:
        signs = since is not None and from_text(entries[version - 1]["at"]) >= since + EARLIER
        due = signs or (kept and version > min(kept))
        if due and version not in kept:  # of the last append no later one can tell
            last = version == len(entries)
            weight: Weight = "history" if last else "note" if kept and min(kept) < version < max(kept) else "witness"
            yield _finding(rows, version, "", "It is missing: every append since the first one was signed.", weight)


def keys(connection: Connection, signer: Signer) -> Iterator[Finding]:
    """Whether the keys are what their ids say, were vouched for, and are older than what they signed."""
    rows, first = signing_key_rows(connection), first_signatures(connection)
    oldest = min((row.since for row in rows.values()), default=0)
    for key, row in rows.items():
        if not _is_its_own(row):
            yield _key_finding(key, "public", "It has another id: it was changed.")
        if key in first and row.since > first[key]:
            yield _key_finding(key, "since", "It has signed before: it was changed.")
        if row.endorser is None and row.endorsement is None:
            had_earlier = any(signer.at_hand(other) for other in rows if other != key)
            if row.since > oldest and signer.at_hand(key) and had_earlier:
                yield _key_finding(key, "endorsement", "It is gone, or no earlier key vouched for this one.", "witness")
        elif (wrong := _endorsement_fault(row, rows)) is not None:
            yield _key_finding(key, *wrong)


def _is_its_own(row: SigningKey) -> bool:
    try:
        return bool(key_id(row.public) == row.id)
    except ValueError:
        return False


def _endorsement_fault(row: SigningKey, rows: Mapping[str, SigningKey]) -> tuple[str, str] | None:
    by = rows.get(row.endorser or "")
    if by is None:
        return "endorser", "There is no such key."
    message = endorsement_message({"id": row.id, "public": row.public, "since": text(row.since)})
    if by.since >= row.since or not genuine(by.public, message, row.endorsement or ""):
        return "endorsement", "It is not genuine: this, or since when the key is used, was changed."
    return None


def _message(row: StoredCheckpoint) -> bytes:
    try:
        at = text(row.at)
    except (ValueError, OverflowError):
        at = ""
    return Checkpoint(row.game_id, row.version, str(raw(row.hash), "latin-1"), at).message()


def _finding(rows: Rows, version: int, column: str, sentence: str, weight: Weight = "history") -> Finding:
    return Finding(weight, rows.game, "checkpoints", f"{version}", column, sentence, version)


def _key_finding(key: str, column: str, sentence: str, weight: Weight = "history") -> Finding:
    return Finding(weight, "", "signing_keys", key, column, sentence)
