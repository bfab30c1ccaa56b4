"""What an operator is shown of games: who sits there, who is waited for, what did not go out; not what is played."""

import os
from collections.abc import Iterator
from typing import Any

from service.commands.operating.at_tables import act_document, pawns_of
from service.commands.terminal import facts
from service.commands.terminal.exits import Failure
from service.container import Services
from service.deadlines.policy_text import terms
from service.kernel.clock import SECOND
from service.store.across import operator_views
from service.store.across.operator_views import Asked, GameLine, Sitter
from service.store.database import Connection
from service.store.people import players
from service.store.running import operator_acts

HOUR = 3600 * SECOND
MOST_UNDELIVERED = 20
Document = dict[str, Any]


def asked_for(
    connection: Connection,
    now: int,
    *,
    status: str | None,
    ruleset: str | None,
    host: str | None,
    waiting: int | None,
    stopped: bool,
) -> Asked:
    """The games that are asked for. Raises Failure for rules and for a host that nobody knows."""
    from domain.rulesets import RULESETS

    if ruleset is not None and ruleset not in RULESETS:
        raise Failure(os.EX_DATAERR, f"There are no such rules: {', '.join(sorted(RULESETS))}.")
    before = None if waiting is None else now - waiting * HOUR
    return Asked(status, ruleset, None if host is None else _player(connection, host), before, stopped)


def _player(connection: Connection, known_as: str) -> str:
    """The id of a player by id, address or name. Raises Failure."""
    from service.accounts.names import email_key

    if players.exists(connection, known_as):
        return known_as
    found = players.by_email_key(connection, email_key(known_as)) if "@" in known_as else None
    ids = [found.id] if found is not None else operator_views.named(connection, known_as)
    if len(ids) != 1:
        several = f"{len(ids)} players are called" if ids else "There is no player"
        raise Failure(os.EX_NOUSER, f"{several} {facts.printable(known_as)}: give an id or an address.")
    return ids[0]


def list_fact(game: GameLine) -> Document:
    """A game in a list."""
    return {
        "id": game.id,
        "ruleset": game.ruleset,
        "status": game.status,
        "version": game.version,
        "public": game.public,
        "host": game.host,
        "seats": game.seats,
        "free": game.free,
        "asked": game.asked,
        "waiting_since": facts.time_of(game.waiting_since),
        "paused": bool(game.asked) and game.stopped == game.asked,
        "opened": facts.time_of(game.created_at),
        "moved": facts.time_of(game.last_at),
        "stopped": facts.time_of(game.halted_at),
    }


def document(services: Services, connection: Connection, game: GameLine) -> Document:
    """All that an operator is shown of a game."""
    sitters = operator_views.sitters(connection, game.id)
    pawns = pawns_of(game, len(sitters))
    undelivered = operator_views.undelivered(connection, game.id, MOST_UNDELIVERED)
    host = next((sitter.name for sitter in sitters if sitter.player == game.host), None)
    return list_fact(game) | {
        "host_name": host,
        "paused_until": facts.time_of(game.paused_until),
        "stopped_why": game.halted,
        "link": f"{services.settings.base_url}/g/{game.id}",
        "clock": _policy(services, connection, game),
        "seat_list": [_seat(sitter, pawns[sitter.seat]) for sitter in sitters],
        "asked_list": [
            {
                "seat": answer.seat,
                "event": answer.since,
                "since": facts.time_of(answer.began_at),
                "due": facts.time_of(answer.due_at),
                "caretaker_at": facts.time_of(answer.acts_at),
            }
            for answer in operator_views.answers(connection, game.id)
        ],
        "undelivered": [
            {
                "channel": mail.channel,
                "kind": mail.kind,
                "seat": mail.seat,
                "state": mail.state,
                "attempts": mail.attempts,
                "since": facts.time_of(mail.created_at),
                "next": facts.time_of(mail.not_before) if mail.state == "queued" else None,
                "reason": mail.reason,
            }
            for mail in undelivered
        ],
        "journal": [act_document(act) for act in operator_acts.of_game(connection, game.id)],
    }


def lines(found: Document) -> Iterator[str]:
    """The same for people."""
    yield f"{found['id']}: {found['ruleset']}, {found['status']}, event {found['version']}, {found['link']}"
    host = found["host_name"] or found["host"]
    yield f"Opened {found['opened']} by {host}, last event {found['moved']}."
    if found["stopped"]:
        yield f"STOPPED since {found['stopped']}, as its records do not verify: {found['stopped_why']}"
    clock = found["clock"]
    yield f"Clock: {' '.join(map(str, terms(clock))) if clock else 'its terms cannot be read.'}"
    if found["paused"]:
        yield f"The clock stands{f' until {until} at most' if (until := found['paused_until']) else ''}."
    yield "Seats:"
    rows = [
        [seat[name] for name in ("seat", "colour", "status", "name", "player", "missed")] for seat in found["seat_list"]
    ]
    yield from (f"  {line}" for line in facts.table(rows))
    for asked in found["asked_list"]:
        until = f"until {asked['due']}" if asked["due"] else "while the clock stands"
        yield f"Seat {asked['seat']} is asked since {asked['since']}, {until}."
    for mail in found["undelivered"]:
        why = f": {mail['reason']}" if mail["reason"] else ""
        whose = "somebody" if mail["seat"] is None else f"seat {mail['seat']}"
        what = f"{mail['kind']} by {mail['channel']}, {mail['state']}, {mail['attempts']} tries"
        yield f"Not told to {whose}: {what}{why}"
    yield from (_journal_line(act) for act in found["journal"])


def _journal_line(act: Document) -> str:
    seat = f" at seat {act['seat']}" if act["seat"] is not None else ""
    why = act["why"] or "(the reason was erased)"
    return f"Journal {act['number']}, {act['at']}, {act['operator']}: {act['what']}{seat}. {why}"


def _seat(sitter: Sitter, pawn: str) -> Document:
    taken = sitter.player is not None
    status = "bot" if sitter.bot else "vacant" if sitter.vacant else "taken" if taken else "empty"
    bot = f"bot {sitter.strength}, {sitter.temper}" if sitter.bot else None
    return {
        "seat": sitter.seat,
        "colour": pawn,
        "status": status,
        "name": sitter.name or bot,
        "player": sitter.player,
        "missed": sitter.strikes,
    }


def _policy(services: Services, connection: Connection, game: GameLine) -> dict[str, Any] | None:
    """The terms of the clock, from the first event as everybody may see it; None where that cannot be read."""
    try:
        (opened,) = services.streams.seen(connection, game.id, None, after=0, upto=1)
        clock: dict[str, Any] = opened["data"]["clock"]
    except Exception:  # of a damaged history anything can be wrong, and the rest is to be seen all the same
        return None
    return clock
