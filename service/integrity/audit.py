"""Looking at every row of every game: what does not follow from the history, and whether the history holds (issue 6).

A game is read at one moment and compared at leisure; what is to be done about it is done under its lock, after
another look. Only what follows from the history is ever mended; a game whose history does not hold is stopped.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from domain.audit.verify_history import audit
from domain.engine.canonical import canonical
from domain.history.codec import UnknownSchema
from service.container import Services
from service.integrity import halt
from service.integrity.checks import (
    chain,
    checkpoints,
    deadlines,
    guards,
    heads,
    house_log,
    leaves,
    notices,
    operator_acts,
    orphans,
    repair,
    seats,
    thoughts,
)
from service.integrity.checks.findings import STOPS, Finding, Place
from service.integrity.checks.history_walk import Walk, walk
from service.integrity.replay_report import faults_of
from service.kernel.encryption import KEY_ID_BYTES
from service.store.across import audit_rows
from service.store.across.audit_rows import Rows
from service.store.database import Connection
from service.store.event_store import audits


@dataclass(frozen=True, slots=True)
class Audited:
    """The result of auditing a game: `halted` is why it is stopped now, `released` whether it goes on again."""

    game: str
    events: int
    findings: list[Finding]
    halted: str | None = None
    released: bool = False


@dataclass(slots=True)
class _Look:
    findings: list[Finding]
    entries: list[dict[str, Any]]
    contents: dict[Place, dict[str, Any]]
    walk: Walk | None = None

    @property
    def broken(self) -> Finding | None:
        """The first thing for which a game is stopped."""
        return next((finding for finding in self.findings if finding.weight == STOPS), None)


def audit_game(
    services: Services, game: str, *, mend: bool = True, release: bool = False, thorough: bool = False
) -> Audited:
    """Look at all rows of a game; unless told otherwise, mend what follows from its history, and stop it where that
    does not hold. `release` lets one go on that was stopped and holds again; `thorough` asks the rules, too."""
    with services.database.snapshot() as connection:
        kept = audit_rows.read(services.database, connection, game)
    look = _look(services, kept)
    asked = [*_by_the_rules(kept, look)] if thorough else []
    halted = None if kept.head is None or kept.head.halted_at is None else kept.head.halted or ""
    mendable = any(finding.weight == "projection" for finding in look.findings)
    to_do = look.broken or mendable or (release and halted is not None)
    if not mend or kept.head is None or not to_do:
        return Audited(game, len(kept.events), [*look.findings, *asked], halted)
    return _settle(services, game, asked, release=release)


def audit_history(services: Services, connection: Connection, game: str) -> list[Finding]:
    """Findings about what a game is computed from: its events, its head, its checkpoints, and its leaves, each of which
    is opened. Changes nothing."""
    kept = audit_rows.read(services.database, connection, game)
    found = [*chain.findings(kept), *heads.findings(kept), *checkpoints.findings(kept)]
    if kept.head is None or any(finding.table == "events" for finding in found):
        return found
    return found + leaves.open_all(services.streams, kept, chain.entries(kept)).findings


def audit_house(connection: Connection, services: Services) -> list[Finding]:
    """Findings besides the games that are there: triggers and grants, keys, rows of games that are not there."""
    return [
        *guards.findings(connection),
        *checkpoints.keys(connection, services.signer),
        *orphans.findings(connection),
        *house_log.findings(connection, services.database.clock.now(connection)),
        *operator_acts.findings(connection),
    ]


def game_ids(connection: Connection) -> list[str]:
    """All games, those not audited for longest first."""
    return audits.longest_ago_first(connection)


def _settle(services: Services, game: str, asked: Sequence[Finding], *, release: bool) -> Audited:
    """Look again under the lock of the game, and do what is to be done."""
    with services.database.write() as tx:
        audits.lock(tx, game)
        kept = audit_rows.read(services.database, tx, game)
        look = _look(services, kept)
        if kept.head is None:
            return Audited(game, len(kept.events), look.findings)
        was = None if kept.head.halted_at is None else kept.head.halted or ""
        if (broken := look.broken) is not None:
            reason = broken.reason()
            halt.halt(services.database, tx, game, reason)
            return Audited(game, len(kept.events), [*look.findings, *asked], was or reason)
        told = look.findings
        if look.walk is not None:
            told = repair.mend(services.streams, tx, kept, look.entries, look.walk, told)
        released = release and look.walk is not None and halt.release(services, tx, game)
        return Audited(game, len(kept.events), [*told, *asked], None if released else was, released)


def _look(services: Services, kept: Rows) -> _Look:
    found = [*chain.findings(kept), *heads.findings(kept), *checkpoints.findings(kept)]
    if kept.head is None or any(finding.table == "events" for finding in found):
        return _Look(found, [], {})
    entries = chain.entries(kept)
    opened = leaves.open_all(services.streams, kept, entries)
    found += _with_lost_keys(services, kept, opened)
    look = _Look(found, entries, opened.contents)
    if any(finding.weight in (STOPS, "key") for finding in found):
        return look
    try:
        done = walk(entries, opened.contents)
    except UnknownSchema as error:
        found.append(Finding("rules", kept.game, "events", f"{error.version}", "body", f"{error}", error.version))
        return look
    except Exception as error:  # a forged history may make the rules stumble over anything
        sentence = f"The history cannot be replayed ({type(error).__name__})."
        found.append(Finding(STOPS, kept.game, "events", "", "body", sentence))
        return look
    look.walk = done
    look.findings.extend(_projections(services, kept, entries, done))
    return look


def _projections(services: Services, kept: Rows, entries: list[dict[str, Any]], done: Walk) -> Iterator[Finding]:
    assert kept.head is not None
    yield from leaves.against(kept, done.opened)
    yield from checkpoints.against(kept, entries, done)
    yield from heads.against(kept, kept.head, heads.project(kept, kept.head, entries, done))
    yield from heads.state(services.streams, kept, kept.head, done)
    yield from seats.findings(kept, done)
    yield from deadlines.findings(kept, done)
    yield from thoughts.findings(kept, entries, done)
    yield from notices.findings(kept, entries, done)
    yield from operator_acts.against(kept, entries)


def _by_the_rules(kept: Rows, look: _Look) -> Iterator[Finding]:
    """Findings by the rules and the draws about a history that holds; they may be others than it was played by."""
    if look.walk is None or look.broken is not None:
        return
    report = audit(_lines(kept, look))
    for fault in faults_of(report, telling=report.is_over):
        which = f" ({fault.type}, {fault.rule})" if fault.type else ""
        sentence = f"{fault.check}{which}: {fault.sentence}"
        yield Finding("rules", kept.game, "events", f"{fault.version or ''}", "", sentence, fault.version)


def _lines(kept: Rows, look: _Look) -> Iterator[bytes]:
    """The complete history as it would be exported with all leaves open."""
    for row, entry in zip(kept.events, look.entries, strict=True):
        sealed = [leaf | look.contents[entry["version"], number] for number, leaf in enumerate(entry["sealed"])]
        yield canonical({**entry, "sealed": sealed, "hash": row.hash}) + b"\n"
    yield canonical({"end": {"version": len(look.entries), "hash": kept.events[-1].hash}}) + b"\n"


def _with_lost_keys(services: Services, kept: Rows, opened: leaves.Opened) -> list[Finding]:
    """Leaves under a key that nobody here has but that others are under, too, were not changed: that key is missing."""
    lost = {f"{place[0]}/{place[1]}": key for place, key in opened.lost.items()}
    real = {key for key in set(lost.values()) if _is_used_elsewhere(services, kept, key)}
    return [replace(finding, weight="key") if lost.get(finding.row) in real else finding for finding in opened.findings]


def _is_used_elsewhere(services: Services, kept: Rows, key: bytes) -> bool:
    """Whether more than one thing was sealed under a key."""
    assert kept.head is not None
    mine = [kept.head.state, *(row.sealed for row in kept.leaves)]
    if sum(bytes(sealed[:KEY_ID_BYTES]) == key for sealed in mine) > 1:
        return True
    with services.database.read() as connection:
        return audit_rows.is_key_used(connection, key, but=kept.game)
