"""What waits to go out and to be read: `wardroom queue list`, `wardroom queue flush`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from service.commands.operating.acting import act, as_option
from service.commands.terminal import facts
from service.commands.terminal.opening import open_services

if TYPE_CHECKING:
    from service.container import Services
    from service.store.database import Connection

CHANNELS: Final = ("mail", "webhook", "feed", "push")
OUT: Final = ("channel", "kind", "queued", "due", "tried", "oldest", "due_since", "next_at")


@click.group()
def queue() -> None:
    """What waits to go out, by channel, and what came in and waits to be read."""


@queue.command("list")
@facts.document_option
def list_queue(as_json: bool) -> None:
    """Show what is queued by channel and kind, destinations that take nothing, and mails that wait or were put aside.

    What is queued and not due waits for a night to end, for other mails to join it, or for its next try; what is due
    and grows old waits for its destination, or for a worker.

    Example: wardroom queue list (docs/operations.md)
    """
    with open_services() as services, services.database.read() as connection:
        found = document(services, connection)
    facts.show(found, lines(found), as_json=as_json)


@queue.command("flush")
@click.option("--channel", "only", type=click.Choice(CHANNELS), help="Only this one; all of them if left out.")
@as_option
def flush_queue(only: str | None, operator: str | None) -> None:
    """Let all go now that waits for a destination, after it was mended: no probe, no pause.

    What waits for another reason goes on waiting: a night, too many mails in a day, a game that is stopped.

    Example: wardroom queue flush --channel mail (docs/operations.md)
    """
    flush([only] if only else CHANNELS, operator)


def flush(channels: Sequence[str], operator: str | None = None) -> None:
    """Let what waits on these channels go now, and say how much is due."""
    from service.mail import outgoing
    from service.operator.journal import Deed

    def do(tx: "Connection") -> Deed:
        return Deed("queue flush", results={channel: outgoing.flush(services, tx, channel) for channel in channels})

    with open_services() as services:
        due = act(services, operator, "What waited for a destination was let go.", do).results
    told = [f"{count} {NAMES[channel][count != 1]}" for channel, count in due.items() if count]
    if told:
        are = "is" if sum(due.values()) == 1 else "are"
        click.echo(f"{', '.join(told)} {are} due, and {are} tried now.", err=True)
    else:
        click.echo("No mail is due." if list(channels) == ["mail"] else "Nothing is due.", err=True)


NAMES: Final = {
    "mail": ("mail", "mails"),
    "webhook": ("message to webhooks", "messages to webhooks"),
    "feed": ("entry of feeds", "entries of feeds"),
    "push": ("call", "calls"),
}


def document(services: "Services", connection: "Connection") -> dict[str, Any]:
    """All queues as one document."""
    from service.store.incoming import inbox
    from service.store.outgoing import destinations, queues

    now = services.database.clock.now(connection)
    states = inbox.by_state(connection)
    out = [
        {name: getattr(row, name) for name in OUT[:5]} | {name: facts.time_of(getattr(row, name)) for name in OUT[5:]}
        for row in queues.waiting(connection, now)
    ]
    down = [
        {"channel": trouble.channel, "name": trouble.name, "since": facts.time_of(trouble.down_since),
         "failures": trouble.failures, "reason": trouble.reason, "next_probe": facts.time_of(trouble.probe_at)}
        for trouble in destinations.down(connection)
    ]  # fmt: skip
    came_in = {
        "waiting": states.get("received", 0),
        "oldest": facts.time_of(inbox.oldest_waiting(connection, now)),
        "quarantined": states.get("quarantined", 0),
    }
    return {"at": facts.time_of(now), "out": out, "down": down, "in": came_in}


def lines(found: dict[str, Any]) -> Iterator[str]:
    """The same for people."""
    if found["out"]:
        yield from facts.table([OUT, *([row[name] for name in OUT] for row in found["out"])])
    else:
        yield "Nothing waits to go out."
    for place in found["down"]:
        where = f"{place['channel']} {place['name']}".replace("mail ", "The mail server ", 1)
        yield f"{where} takes nothing since {place['since']} ({place['reason']}), tried {place['failures']} times."
    came_in = found["in"]
    since = f", the first since {came_in['oldest']}" if came_in["oldest"] else ""
    yield f"Mails that came in: {came_in['waiting']} wait to be read{since}; {came_in['quarantined']} were put aside."
    if came_in["quarantined"]:
        yield "See `wardroom mail list --state quarantined`."
