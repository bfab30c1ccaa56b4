"""`wardroom players`: who they are, and what the operator may do about them."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import click

from service.commands.operating.acting import act, acts, confirm
from service.commands.terminal import completion, facts
from service.commands.terminal.exits import Failure
from service.commands.terminal.opening import open_services

if TYPE_CHECKING:
    from service.container import Services
    from service.store.across.player_lists import PlayerLine
    from service.store.database import Connection

COLUMNS: Final = ("id", "name", "email", "last_seen", "seats", "suspended")
who_argument: Final = click.argument("player", metavar="ID|EMAIL|NAME", shell_complete=completion.players)


@click.group()
def players() -> None:
    """People: find them, see what may be known of them, rename them, keep them out, end their tokens."""


@players.command("list")
@click.argument("search", default="")
@click.option("--suspended", is_flag=True, help="Only those who are kept out.")
@click.option("--after", metavar="ID", help="Go on behind this player.")
@click.option("--limit", type=click.IntRange(1, 1000), default=50, show_default=True, help="How many, newest first.")
@facts.json_option
def list_players(search: str, suspended: bool, after: str | None, limit: int, as_json: bool) -> None:
    """Show players, all or those whose name or address holds SEARCH, with when they were here last.

    Example: wardroom players list --suspended (docs/operations.md)
    """
    from service.store.across import player_lists

    with open_services() as services, services.database.read() as connection:
        now = services.database.clock.now(connection)
        found = player_lists.listed(connection, now, search, suspended=suspended, after=after, most=limit + 1)
    rows = [_line(player, now) for player in found[:limit]]
    facts.show_list(rows, COLUMNS, as_json=as_json, nothing="There is no such player.")
    if len(found) > limit:
        click.echo(f"There are more: say the same with --after {found[limit - 1].id}.", err=True)


@players.command("show")
@who_argument
@facts.document_option
def show_player(player: str, as_json: bool) -> None:
    """Show what an operator may know of a player: seats, tokens by name and last use, mail, acts of operators.

    Nothing that is sealed, no talk and no notes.

    Example: wardroom players show bob@example.org (docs/operations.md)
    """
    with open_services() as services, services.database.read() as connection:
        found = document(services, connection, find(connection, player))
    facts.show(found, lines(found), as_json=as_json)


@players.command("rename")
@who_argument
@click.argument("name")
@acts
def rename_player(player: str, name: str, why: str, operator: str | None, yes: bool) -> None:
    """Give a player another NAME, under the rules for names; they are told by mail, and why.

    Example: wardroom players rename bob@example.org "Bob B" --why "Two Bobs." --yes (docs/operations.md)
    """
    from service.operator import people

    with open_services() as services:
        known = _known(services, player)
        confirm(f"Call {known.name} ({known.id}) “{name}” from now on?", yes)
        act(services, operator, why, lambda tx: people.rename(services, tx, known.id, name))
    click.echo(f"{known.name} ({known.id}) has another name now, and is told by mail.", err=True)


@players.command("suspend")
@who_argument
@click.option("--until", metavar="TIME", help="A day or time in UTC (2027-01-31), or a span (P14D); else for good.")
@click.option("--lift", is_flag=True, help="Let them in again.")
@acts
def suspend_player(player: str, until: str | None, lift: bool, why: str, operator: str | None, yes: bool) -> None:
    """Keep a player out: they cannot sign in, and their tokens, sessions and mails are refused, which they are told.

    Their games go on: their clocks run, and the caretaker plays for them when a deadline passes. Whom that would harm
    is helped by freeing the seat.

    Example: wardroom players suspend bob@example.org --until P14D --why "Insults." --yes (docs/operations.md)
    """
    from service.operator import people

    if lift and until:
        raise click.UsageError("--until goes without --lift.")
    with open_services() as services:
        known = _known(services, player)
        if lift:
            act(services, operator, why, lambda tx: people.lift(services, tx, known.id))
            click.echo(f"{known.name} ({known.id}) may come in again, and is told by mail.", err=True)
            return
        with services.database.read() as connection:
            end = None if until is None else read_time(until, services.database.clock.now(connection))
        how_long = "for good" if end is None else f"until {facts.time_of(end)}"
        confirm(f"Keep {known.name} ({known.id}), who has {known.seats} seats, out {how_long}?", yes)
        act(services, operator, why, lambda tx: people.suspend(services, tx, known.id, end))
    click.echo(f"{known.name} ({known.id}) is kept out {how_long}, and told by mail.", err=True)


@players.group("tokens")
def tokens() -> None:
    """Keys to the API, sessions of browsers, secret addresses of feeds."""


@tokens.command("revoke")
@who_argument
@click.argument("token", required=False)
@click.option("--all", "every", is_flag=True, help="All of them: the player is signed out everywhere.")
@acts
def revoke_tokens(player: str, token: str | None, every: bool, why: str, operator: str | None, yes: bool) -> None:
    """End the TOKEN of a player, by its id as `players show` has it, or all of them; they are told by mail.

    Example: wardroom players tokens revoke bob@example.org --all --why "Lost laptop." --yes (docs/operations.md)
    """
    from service.operator import people

    if every == (token is not None):
        raise click.UsageError("Name one token, or say --all.")
    with open_services() as services:
        known = _known(services, player)
        confirm(f"End {'all tokens' if every else token} of {known.name} ({known.id})?", yes)
        done = act(services, operator, why, lambda tx: people.revoke_tokens(services, tx, known.id, token))
    click.echo(f"{done.results['tokens']} tokens of {known.name} ({known.id}) are ended.", err=True)


def find(connection: "Connection", known_as: str) -> str:
    """The id of a player by id, address or name. Raises Failure for nobody, and for a name of several."""
    from service.accounts.names import email_key
    from service.store.across import player_lists
    from service.store.people import players as rows

    if rows.exists(connection, known_as):
        return known_as
    if (player := rows.by_email_key(connection, email_key(known_as))) is not None:
        return player.id
    named = player_lists.named(connection, known_as)
    if len(named) > 1:
        raise Failure(os.EX_USAGE, f"Several players are called {known_as}: say which by id: {', '.join(named)}.")
    if not named:
        raise Failure(os.EX_NOUSER, f"There is no player {known_as}: see `wardroom players list`.")
    return named[0]


def read_time(given: str, now: int) -> int:
    """A time in microseconds: a day or a moment in UTC, or a span from now. Raises BadParameter."""
    from config.durations import parse_duration
    from service.kernel.clock import EPOCH, micros, moment

    try:
        if given.upper().startswith("P"):
            at = moment(now + micros(parse_duration(given.upper())))
        else:
            at = datetime.fromisoformat(given.replace("Z", "+00:00"))
        return (at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC) - EPOCH) // timedelta(microseconds=1)
    except (ValueError, OverflowError) as error:
        told = "Write a day or a time in UTC, such as 2027-01-31 or 2027-01-31T18:00, or a span such as P14D."
        raise click.BadParameter(told, param_hint="--until") from error


def _known(services: "Services", known_as: str) -> "PlayerLine":
    from service.store.across import player_lists

    with services.database.read() as connection:
        line = player_lists.line_of(connection, find(connection, known_as))
    assert line is not None, "it was just found"
    return line


def _line(player: "PlayerLine", now: int) -> dict[str, Any]:
    """A player in a list, as printed: of a suspension its end, or that it has none."""
    in_force = player.suspended_at is not None and (player.suspended_until is None or player.suspended_until > now)
    until = facts.time_of(player.suspended_until) or "for good"
    return {
        "id": player.id,
        "name": player.name,
        "email": player.email,
        "created": facts.time_of(player.created_at),
        "last_seen": facts.time_of(player.seen_at),
        "seats": player.seats,
        "suspended": until if in_force else None,
    }


def document(services: "Services", connection: "Connection", player: str) -> dict[str, Any]:
    """All that may be shown of a player."""
    from service.mail import deliverability
    from service.store.across import player_lists
    from service.store.outgoing import devices
    from service.store.people import passkeys, suspensions
    from service.store.people import players as rows
    from service.store.people import tokens as keys
    from service.store.running import operator_acts

    now = services.database.clock.now(connection)
    line, profile = player_lists.line_of(connection, player), rows.by_id(connection, player)
    assert line is not None, "it was just found"
    assert profile is not None, "it was just found"
    suspension = suspensions.of(connection, player, now)
    state, said = deliverability.state_of(connection, player, now)
    return _line(line, now) | {
        "language": profile.language,
        "timezone": profile.timezone,
        "verified": facts.time_of(profile.verified_at),
        "suspension": suspension
        and {
            "since": facts.time_of(suspension.since),
            "until": facts.time_of(suspension.until),
            "why": suspension.why,
        },
        "mail": {"wanted": profile.mail, "state": state, "said": said or None},
        "seats": [
            {"game": seat.game, "ruleset": seat.ruleset, "status": seat.status, "seat": seat.seat,
             "vacant": seat.vacant, "strikes": seat.strikes}
            for seat in player_lists.seats_of(connection, player)
        ],
        "tokens": [
            {"id": token.id, "kind": token.kind, "label": token.label, "created": facts.time_of(token.created_at),
             "last_used": facts.time_of(token.last_used_at)}
            for token in keys.of_player(connection, player)
        ],
        "passkeys": len(passkeys.of_player(connection, player)),
        "devices": len(devices.of_player(connection, player)),
        "acts": [
            {"number": line.number, "at": facts.time_of(line.at), "operator": line.operator, "what": line.what,
             "why": line.why}
            for line in operator_acts.of_player(connection, player)
        ],
    }  # fmt: skip


def lines(found: dict[str, Any]) -> Iterator[str]:
    """The same for people."""
    plain = {name: value for name, value in found.items() if not isinstance(value, list | dict)}
    plain["mail"] = f"{found['mail']['state']}{'' if found['mail']['wanted'] else ', unwanted'}"
    if found["suspension"]:
        plain["suspended"] = f"{found['suspended']}: {found['suspension']['why'] or 'the reason was erased'}"
    plain.pop("suspension", None)
    yield from facts.table(list(plain.items()))
    for name in ("seats", "tokens", "acts"):
        if rows := found[name]:
            yield ""
            yield f"{name.capitalize()}:"
            yield from facts.table([list(rows[0]), *(list(row.values()) for row in rows)])
