"""The command `wr`: look at games, play, watch, run bots."""

import argparse
import getpass
import logging
import sys
import webbrowser
from collections.abc import Callable, Sequence

import msgspec

from wardroom_client._sync.client import Wardroom
from wardroom_client.arena import arena, load_bot
from wardroom_client.login import config_file, save, saved_client
from wardroom_client.problems import Problem, WardroomError

WAIT = 25
"""Seconds of a long poll."""


def main(words: Sequence[str] | None = None, connect: Callable[[], Wardroom] = saved_client) -> int:
    """Do what the words say; 0, or 1 with a sentence on standard error."""
    given = command_line(words)
    try:
        code: int | None = given.run(given, connect)
    except Problem as problem:
        cited = "".join(f" [{word}]" for word in (problem.rule, problem.line) if word)
        print(f"wr: {problem}{cited}", file=sys.stderr)
        return 1
    except (WardroomError, ValueError, ModuleNotFoundError) as error:
        print(f"wr: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return code or 0


def login(given: argparse.Namespace, connect: Callable[[], Wardroom]) -> None:
    """Keep a token: make one on the page that opens, and paste it here."""
    if sys.stdin.isatty():
        page = f"{given.base.rstrip('/')}/me/access"
        print(f"Make a key for wr at {page} and paste it here.", flush=True)
        webbrowser.open(page)
        token = getpass.getpass("Key: ").strip()
    else:
        token = sys.stdin.readline().strip()
    with Wardroom(given.base, token) as client:
        me = client.me()
    print(f"Signed in as {me['name']}; the token is in {save(given.base, token)}.")


def logout(given: argparse.Namespace, connect: Callable[[], Wardroom]) -> None:
    """Forget the token."""
    config_file().unlink(missing_ok=True)


def open_table(given: argparse.Namespace, connect: Callable[[], Wardroom]) -> None:
    """Open a table, and sit down at it; with as many bots as leave no seat free, it starts at once."""
    bots = [{"strength": given.strength}] * given.bots
    with connect() as client:
        print(client.open(given.ruleset, given.seats, bots=bots).id)


def turns(given: argparse.Namespace, connect: Callable[[], Wardroom]) -> None:
    """List the decisions that wait for you."""
    with connect() as client:
        for turn in client.turns():
            print(turn["game"], turn["ruleset"], f"seat {turn['seat']}", f"due {turn['due'] or 'never'}")


def board(given: argparse.Namespace, connect: Callable[[], Wardroom]) -> None:
    """Print the board."""
    with connect() as client:
        print(client.game(given.game).board(given.version), end="")


def play(given: argparse.Namespace, connect: Callable[[], Wardroom]) -> int:
    """Play lines of the notation, with ";" or a new line between them; all or nothing."""
    lines = [line.strip() for line in given.lines.replace("\n", ";").split(";") if line.strip()]
    with connect() as client:
        draft = client.game(given.game).draft(*lines)
        if given.dry_run:
            found = draft.preview()
            print("\n".join(found["sentences"]))
            refusal = found["refusal"]
            if refusal is not None:
                print(f"{refusal['text']}: {refusal['detail']} [{refusal['rule']}]")
            return 1 if refusal else 0
        moved = draft.play()
        print(f"Played: {given.game} is at version {moved['version']}, {moved['hash']}.")
    return 0


def watch(given: argparse.Namespace, connect: Callable[[], Wardroom]) -> None:
    """Print what happens in a game until it is over, a line an event."""
    with connect() as client:
        game = client.game(given.game)
        after = given.after
        while True:
            page = game.events(after, wait=WAIT)
            for event in page["events"]:
                print(event["version"], event["type"], event["data"].get("text", ""), flush=True)
                after = event["version"]
            if after >= page["head"]["version"] and game.position()["status"] in ("finished", "abandoned"):
                return


def run_bot(given: argparse.Namespace, connect: Callable[[], Wardroom]) -> None:
    """Let a bot play your turns until you stop it."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    load_bot(given.bot).run(connect(), given.cursor)


def run_arena(given: argparse.Namespace, connect: Callable[[], Wardroom]) -> None:
    """Let bots play each other here, without a server."""
    found = arena(given.bots, given.ruleset, given.games, given.jobs)
    if given.json:
        print(msgspec.json.encode(found).decode())
        return
    for entrant in found["entrants"]:
        print(f"{entrant['bot']}: won {entrant['wins']} of {found['games']}, mean {entrant['mean']:.1f}")


def command_line(words: Sequence[str] | None) -> argparse.Namespace:
    """What the words ask for. Raises SystemExit, with a sentence, where they are no command."""
    return _parser().parse_args(words)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="wr", description="Play at a Wardroom from the command line.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[..., int | None], *places: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=(run.__doc__ or "").partition("\n")[0], description=run.__doc__)
        for place in places:
            added.add_argument(place)
        added.set_defaults(run=run)
        return added

    command("login", login, "base")
    command("logout", logout)
    table = command("open", open_table, "ruleset")
    table.add_argument("seats", type=int)
    table.add_argument("--bots", type=int, default=0, help="how many seats are played by bots of the service")
    table.add_argument("--strength", type=int, default=1, choices=range(4), help="of these bots: 1 unless told")
    command("turns", turns)
    command("board", board, "game").add_argument("--version", type=int)
    command("play", play, "game", "lines").add_argument("--dry-run", action="store_true")
    command("watch", watch, "game").add_argument("--after", type=int, default=0, metavar="VERSION")
    bots = commands.add_parser("bot", help="Run a bot.").add_subparsers(required=True, metavar="run")
    bot = bots.add_parser("run", help=run_bot.__doc__, description=run_bot.__doc__)
    bot.add_argument("bot", metavar="MODULE:BOT")
    bot.add_argument("--cursor", metavar="FILE", help="remembers what was handled")
    bot.set_defaults(run=run_bot)
    contest = command("arena", run_arena)
    contest.add_argument("bots", nargs="+", metavar="MODULE:BOT")
    contest.add_argument("--ruleset", default="tammany-hall", help="tammany-hall (unless told) or city-hall")
    contest.add_argument("--games", type=int, default=100, help="how many: 100 unless told; seats rotate")
    contest.add_argument("--jobs", type=int, default=1, help="how many at a time, a process each")
    contest.add_argument("--json", action="store_true", help="the result as JSON")
    return parser


if __name__ == "__main__":
    sys.exit(main())
