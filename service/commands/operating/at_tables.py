"""What commands about games have in common: finding a game and a seat as people name them, and acting there."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from service.commands.operating.acting import act, acts
from service.commands.terminal import facts
from service.commands.terminal.exits import Failure

if TYPE_CHECKING:
    from service.container import Services
    from service.operator.journal import Deed
    from service.store.across.operator_views import GameLine, Sitter
    from service.store.database import Connection
    from service.store.running.operator_acts import Act

F = TypeVar("F", bound=Callable[..., Any])
dry_run_option: Final = click.option("--dry-run", is_flag=True, help="Find out whether it can be done, and do nothing.")
NOTHING: Final = "Nothing was done (--dry-run); without it: "


def at_a_table(command: F) -> F:
    """Give a command --why, --as, --yes, --dry-run and --json."""
    return acts(dry_run_option(facts.document_option(command)))


def find_game(connection: "Connection", typed: str) -> "GameLine":
    """A game by its id, or by the address of its page. Raises Failure that names games with ids like it."""
    from service.store.across import operator_views

    game = typed.rstrip("/").rpartition("/")[2].lower()
    found = operator_views.find(connection, game)
    if found is not None:
        return found
    alike = operator_views.alike(connection, game)
    meant = f" Is it {' or '.join(alike)}?" if alike else " `wardroom games list` shows those there are."
    raise Failure(os.EX_NOINPUT, f"There is no game {facts.printable(game)}.{meant}")


def find_seat(connection: "Connection", game: "GameLine", typed: str) -> int:
    """A seat by its number from 0, its colour, or the name of who sits there. Raises Failure that names all."""
    from service.store.across import operator_views

    sitters = operator_views.sitters(connection, game.id)
    pawns = pawns_of(game, len(sitters))
    for sitter, pawn in zip(sitters, pawns, strict=True):
        if typed.casefold() in (str(sitter.seat), pawn, (sitter.name or pawn).casefold()):
            return sitter.seat
    seats = ", ".join(f"{sitter.seat} ({_called(sitter, pawns)})" for sitter in sitters)
    raise Failure(os.EX_DATAERR, f"Game {game.id} has no seat {facts.printable(typed)}: its seats are {seats}.")


def pawns_of(game: "GameLine", seats: int) -> Sequence[str]:
    """What the seats are called in the notation; their numbers where this Wardroom does not know the game."""
    from domain.rulesets import RULESETS

    rules = RULESETS.get(game.ruleset)
    return [f"{seat}" for seat in range(seats)] if rules is None else rules.notation.pawns[:seats]


def _called(sitter: "Sitter", pawns: Sequence[str]) -> str:
    return facts.printable(sitter.name or pawns[sitter.seat])


def do_at(
    services: "Services",
    game: str,
    do: "Callable[[Connection], Deed]",
    done: str,
    *,
    why: str,
    operator: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Act at a table, and say what was `done`. Raises Failure, also for a game that is stopped."""
    from domain.history.envelope import BrokenHistory
    from service.integrity.alarm import suspect
    from service.store.clocks.halted import GameHalted
    from service.store.event_store.streams import NoSuchGame

    try:
        line = act(services, operator, why, do, rehearse=dry_run)
    except NoSuchGame:
        raise Failure(os.EX_NOINPUT, f"There is no game {game} any more.") from None
    except (GameHalted, BrokenHistory) as broken:
        reason = suspect(services, game, broken) or str(broken)
        stopped = f"Game {game} is stopped, as its records do not verify ({reason})"
        raise Failure(os.EX_UNAVAILABLE, f"{stopped}: `wardroom doctor --audit --game {game}` says more.") from broken
    if as_json:
        facts.show(act_document(line) | {"dry_run": dry_run}, (), as_json=True)
    click.echo(f"{NOTHING}{done}" if dry_run else done, err=True)


def act_document(line: "Act") -> dict[str, Any]:
    """A line of the journal for programs."""
    return {
        "number": line.number,
        "at": facts.time_of(line.at),
        "operator": line.operator,
        "what": line.what,
        "game": line.game_id,
        "version": line.version,
        "seat": line.seat,
        "player": line.player_id,
        "results": line.results,
        "why": line.why,
    }
