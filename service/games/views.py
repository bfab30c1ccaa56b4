"""A game as one player may see it: the documents the API answers with, built from that player's view alone."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from domain.engine.bots import Bot
from domain.engine.game import CHANCE, Seat, View
from domain.history.codec import History, Stored
from domain.table.clock import fold_clock, open_decisions
from domain.table.evolve import Rules
from domain.table.record import Fact
from domain.table.state import Chair, Proposal, Table
from domain.table.undo import Past
from service.accounts.names import handles
from service.clocks import leave_days
from service.clocks.policy import DEFAULTS, policy
from service.games.outcomes import Moved
from service.games.seat_names import bot_name, chair_status, names_at, table_name
from service.kernel import clock
from service.store.clocks.decisions import Owed
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.people.players import sitting


def position(
    connection: Connection, head: Head, seat: Seat | None, table: Table | None = None, rows: Sequence[Any] | None = None
) -> dict[str, Any]:
    """The position at `head`; or, with `table`, another one of the same game at the same version.

    `rows` are those of `sitting`, where they are known.
    """
    now = table is None
    shown = head.table if table is None else table
    rows = sitting(connection, game=head.game).fetchall() if rows is None else rows
    named: dict[Seat, str | None] = {row[0]: row[1] for row in rows}
    names = [named.get(number) for number in range(len(shown.chairs))]
    owed = [deadline(Owed(row[0], row[2], row[3], row[4])) for row in rows if now and row[2] is not None]
    away = _away(connection, shown, head.now) if now else {}
    return _document(head, shown, seat, names, owed, away)


def position_then(
    connection: Connection, head: Head, seat: Seat | None, past: Sequence[Past], at: int | None = None
) -> dict[str, Any]:
    """Return the position at a past head, as it was told then; leave is told as of `at`.

    `past` are the events up to there. People have the names that they have now.
    """
    asked, told = open_decisions(head.table, head.rules), fold_clock(head.rules, past).asked
    owed = [
        {"seat": number, "decision": question.decision, "since": question.since, "due": question.due}
        for number, question in sorted(told.items())
        if question.told and asked.get(number) == question.decision
    ]
    away = _away(connection, head.table, head.last_at if at is None else at)
    return _document(head, head.table, seat, names_at(connection, head.table), owed, away)


def _document(
    head: Head,
    shown: Table,
    seat: Seat | None,
    names: Sequence[str | None],
    owed: Sequence[dict[str, Any]],
    away: Mapping[Seat, dict[str, Any]],
) -> dict[str, Any]:
    asked = open_decisions(shown, head.rules)
    return {
        "id": head.game,
        "name": table_name(head),
        "ruleset": shown.ruleset,
        "options": _in_order(shown.options, head.rules.options),
        "public": shown.public,
        "host": shown.host,
        "status": shown.status,
        "version": head.version,
        "hash": head.hash,
        "seats": [
            chair_document(head.rules, number, chair, names[number]) | away.get(number, {})
            for number, chair in enumerate(shown.chairs)
        ],
        "awaiting": sorted(awaited for awaited in asked if awaited != CHANCE),
        "clock": {**_in_order(shown.clock, DEFAULTS), "deadlines": owed},
        "paused": shown.paused,
        "proposal": proposal_document(shown.proposal),
        "state": state_document(shown, head, seat, names),
        "you": None
        if seat is None
        else {
            "seat": seat,
            "awaited": seat in asked,
            "decision": asked.get(seat),
            "due": next((answer["due"] for answer in owed if answer["seat"] == seat), None),
        },
    }


def for_the_host(document: dict[str, Any], amiss: Mapping[Seat, str]) -> dict[str, Any]:
    """A position that says at which seats mail is off or does not arrive (OUT-17, RATE-11)."""
    shown = [entry | {"mail": amiss[entry["seat"]]} if entry["seat"] in amiss else entry for entry in document["seats"]]
    return document | {"seats": shown}


def chair_document(rules: Rules, seat: Seat, chair: Chair, name: str | None) -> dict[str, Any]:
    """One seat as everybody sees it."""
    return {
        "seat": seat,
        "status": chair_status(chair),
        "player": chair.player,
        "name": name if chair.bot is None else bot_name(rules, seat, chair.bot),
        "bot": bot_document(chair.bot),
        "strikes": chair.strikes,
    }


def bot_document(bot: Bot | None) -> dict[str, Any] | None:
    """Which bot plays a seat, as everybody sees it."""
    return None if bot is None else {"strength": bot.strength, "temper": bot.temper}


def proposal_document(proposal: Proposal | None) -> dict[str, Any] | None:
    """What a seat asks others to agree to, as everybody sees it."""
    if proposal is None:
        return None
    back = proposal.what == "rewind"
    return {
        "what": proposal.what,
        "seat": proposal.seat,
        "version": proposal.version,
        "to": proposal.to if back else None,
        "reason": proposal.reason if back else None,
        "seconds": proposal.seconds if proposal.what in ("pause", "extend") else None,
        "asked": proposal.asked,
        "agreed": list(proposal.agreed),
    }


def _in_order(given: Mapping[str, Any], order: Iterable[str]) -> dict[str, Any]:
    """Fields in this order, those first that stand in it: as stored they are in another one."""
    return {name: given[name] for name in (*order, *sorted(given)) if name in given}


def _away(connection: Connection, table: Table, at: int) -> dict[Seat, dict[str, Any]]:
    """The present or the next leave of each player at a table where leave counts."""
    if not policy(table.clock).leave_days:
        return {}
    sits = {chair.player: seat for seat, chair in enumerate(table.chairs) if chair.player and not chair.vacant}
    next_of = leave_days.next_leaves(connection, list(sits), at)
    return {seat: {"away": next_of.get(player)} for player, seat in sits.items()}


def state_document(
    table: Table, head: Head, seat: Seat | None, names: Sequence[str | None], *, typed: bool = True
) -> dict[str, Any] | None:
    """The ruleset's own document: with names as the notation has them, or, not `typed`, as people gave them."""
    if table.game is None:
        return None
    return named_document(head.rules.decider.view(table.game, seat), head, names, typed=typed)


def named_document(document: View, head: Head, names: Sequence[str | None], *, typed: bool = True) -> View:
    """A view with these names of its seats: as the notation has them, or, not `typed`, as people gave them."""
    known = names[: len(document["seats"])]
    for entry, name, handle in zip(document["seats"], known, handles(known, head.rules), strict=True):
        entry["name"] = handle if typed or name is None else name
    return document


def deadline(owed: Owed) -> dict[str, Any]:
    """When a seat's answer is due, and since which event it is owed."""
    return {
        "seat": owed.seat,
        "decision": owed.decision,
        "since": owed.since,
        "due": None if owed.due_at is None else clock.text(owed.due_at),
    }


def move_document(connection: Connection, done: Moved, seat: Seat) -> dict[str, Any]:
    """The answer to a move: where the game is now, and the events it caused as the mover may see them."""
    head = done.head
    return {
        "version": head.version,
        "hash": head.hash,
        "events": [shown_event(event, seat) for event in done.stored],
        "game": position(connection, head, seat),
    }


def rehearsal_document(connection: Connection, done: Moved, seat: Seat) -> dict[str, Any]:
    """The answer to a dry run: the events there would be, without envelope, and the position after them."""
    head = done.head
    return {
        "version": head.version,
        "hash": head.hash,
        "events": [bare_event(head.history, fact) for fact in done.record.facts],
        "game": position(connection, head, seat, done.record.table),
        "dry_run": True,
    }


def shown_event(stored: Stored, seat: Seat | None) -> dict[str, Any]:
    """An event just recorded, in export form, with the leaves of its own seat."""
    event: dict[str, Any] = msgspec.json.decode(stored.body)
    event["sealed"] = [
        {**shut, "data": leaf.data, "salt": leaf.salt.hex()} if leaf.owner == seat else shut
        for shut, leaf in zip(event["sealed"], stored.leaves, strict=True)
    ]
    event["hash"] = stored.hash
    return event


def bare_event(history: History, fact: Fact) -> dict[str, Any]:
    """A fact that is not recorded: type, actor and data."""
    text = {"text": fact.text} if fact.text else {}
    data = msgspec.to_builtins(fact.event)
    return {"type": history.names[type(fact.event)], "actor": fact.actor, "data": data | text}
