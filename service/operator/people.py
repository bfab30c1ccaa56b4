"""What the operator does to players: another name, tokens ended, kept out for a while and let in again.

Whom it is about is told by mail and why; nothing of it touches a game, whose clocks and caretakers go on.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Final

from service.accounts import people
from service.accounts.names import normalise_name
from service.container import Services
from service.kernel.clock import text
from service.operator.journal import Deed
from service.store.database import Connection
from service.store.games import seats
from service.store.people import players, suspensions

KIND: Final = "account"
"""The kind of notice that tells what the operator did about an account; its decision is the number of the act."""
RENAMED, SUSPENDED, LIFTED, REVOKED, HIDDEN, SHOWN = (
    "players rename", "players suspend", "players lift", "players tokens revoke", "talk hide", "talk unhide",
)  # fmt: skip
"""The acts that such a notice tells, as the journal has them."""


class NotDone(ValueError):
    """What was asked for is so already, or cannot be; the sentence is for the operator."""


def notices(readers: Iterable[str], now: int, number: int) -> list[Mapping[str, Any]]:
    """The rows of the outbox that tell these players of the act with this number."""
    return [{"recipient": reader, "kind": "account", "decision": f"{number}", "created_at": now} for reader in readers]


def rename(services: Services, tx: Connection, player: str, name: str) -> Deed:
    """Give a player another name, under the rules for names; they are told, and all at their tables.

    Raises ValueError with a sentence, NotDone, and RuleViolation where it looks like that of somebody they play with.
    """
    name = normalise_name(name)
    before = people.profile(tx, player).name
    if name == before:
        raise NotDone("That is their name already.")
    people.change_profile(tx, player, {"name": name})
    readers, now = [player, *seats.companions(tx, player)], services.database.clock.now(tx)

    def tell(number: int) -> Iterable[Mapping[str, Any]]:
        sealed = services.sealer.seal(KIND, f"{KIND}|{number}", before.encode())
        return [{**row, "secret": sealed} for row in notices(readers, now, number)]

    return Deed(RENAMED, player=player, notices=tell)


def revoke_tokens(services: Services, tx: Connection, player: str, token: str | None) -> Deed:
    """End one token of a player, or all of them: sessions, feeds and keys to the API. Raises NotDone for none."""
    ended = people.end_tokens(tx, player, token)
    if not ended:
        raise NotDone("There is no such token: `wardroom players show` lists them.")
    told = partial(notices, [player], services.database.clock.now(tx))
    return Deed(REVOKED, player=player, results={"tokens": ended}, notices=told)


def suspend(services: Services, tx: Connection, player: str, until: int | None) -> Deed:
    """Keep a player out until a time, or until it is lifted; they are told, and who opened the tables they sit at.

    Raises NotDone for a time that is over.
    """
    now = services.database.clock.now(tx)
    if until is not None and until <= now:
        raise NotDone("That time is over: give one to come.")

    def settle(number: int) -> Iterable[Mapping[str, Any]]:
        suspensions.put(tx, player, number, now, until)
        return notices({player: None} | dict.fromkeys(seats.hosts_beside(tx, player)), now, number)

    players.lock(tx, player)
    results = {} if until is None else {"until": text(until)}
    return Deed(SUSPENDED, player=player, results=results, notices=settle)


def lift(services: Services, tx: Connection, player: str) -> Deed:
    """Let a player in again. Raises NotDone for one who is not kept out."""
    if not suspensions.end(tx, player):
        raise NotDone("This player is not suspended.")
    readers = {player: None} | dict.fromkeys(seats.hosts_beside(tx, player))
    return Deed(LIFTED, player=player, notices=partial(notices, readers, services.database.clock.now(tx)))
