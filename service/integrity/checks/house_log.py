"""The house log: its tree, its signatures, and the games it tells of, also those that were taken away whole."""

from collections.abc import Iterator, Mapping
from typing import Final

from domain.audit.house_log import ENDED, LogEntry, LogHead
from domain.audit.merkle import grown, root_of
from service.integrity.checks.findings import Finding
from service.kernel.clock import SECOND, text
from service.kernel.signing import genuine
from service.store.database import Connection
from service.store.event_store import checkpoints, house_log
from service.store.event_store.house_log import Known

LATE: Final = 900 * SECOND
"""How long what was opened or ended may wait for its entry."""


def findings(connection: Connection, now: int) -> Iterator[Finding]:
    """Heads that are not the log's or not the host's, entries of games that are not so, and games without entries."""
    keys = {key["id"]: key["public"] for key in checkpoints.keys(connection)}
    heads = {head.size: head for head in house_log.heads(connection)}
    games = house_log.known(connection)
    peaks: list[bytes] = []
    told: set[tuple[str, str]] = set()
    size = 0
    for size, entry in enumerate(house_log.entries(connection), 1):
        peaks = grown(peaks, size - 1, [entry.leaf()])
        if size in heads:
            yield from _head(heads[size], root_of(peaks).hex(), keys)
        told.add((entry.game, entry.what))
        yield from _entry(entry, games.get(entry.game), size - 1)
    if max(heads, default=0) != size:
        sentence = f"The newest signed head is of {max(heads, default=0)} entries, and there are {size}."
        yield Finding("history", "", "log_heads", "", "size", sentence)
    yield from _missing(games, told, now)


def _head(head: LogHead, root: str, keys: Mapping[str, str]) -> Iterator[Finding]:
    row = f"{head.size}"
    if head.root != root:
        sentence = f"The first {head.size} entries give another root: the log was rewritten."
        yield Finding("history", "", "log_heads", row, "root", sentence)
    if not genuine(keys.get(head.key, ""), head.message(), head.signature):
        yield Finding("history", "", "log_heads", row, "signature", "It is not that of a key of this host.")


def _entry(entry: LogEntry, game: Known | None, place: int) -> Iterator[Finding]:
    def of(column: str, sentence: str) -> Finding:
        return Finding("history", entry.game, "log_entries", f"{place}", column, sentence, entry.version)

    if game is None:
        yield of("game_id", f"The log tells that this game was {entry.what} at {entry.time}: it was taken away.")
    elif entry.what == ENDED and game.status in ("open", "running"):
        yield of("what", "The log tells that this game has ended, and it goes on.")
    elif (entry.version, entry.hash) != ((game.version, game.hash) if entry.what == ENDED else (1, game.first)):
        yield of("hash", "The log tells of another event: the history was rewritten.")


def _missing(games: Mapping[str, Known], told: set[tuple[str, str]], now: int) -> Iterator[Finding]:
    for game in games.values():
        ended = game.status not in ("open", "running")
        for kind, at, due in (("opened", game.created_at, True), ("ended", game.last_at, ended)):
            if due and (game.id, kind) not in told and at < now - LATE:
                sentence = f"That it was {kind} at {text(at)} is not in the log: workers write it (see operations)."
                yield Finding("note", game.id, "log_entries", "", "", sentence)
