"""The names of a table and of its seats: as people typed them, in sentences, and in the notation."""

import hashlib
from collections.abc import Mapping
from typing import Final, Literal

from domain.engine.bots import Bot, Temper
from domain.engine.game import Seat
from domain.engine.sentences import Sentence, capital, say, say_in, typed
from domain.table.evolve import Rules
from domain.table.state import Chair, Table
from service.accounts.names import former_player, handles
from service.store.database import Connection
from service.store.event_store.streams import Head
from service.store.people import players, readers

TEMPERED: Final[Mapping[Temper, Sentence]] = {
    "even": say_in("temper", "even"),
    "cautious": say_in("temper", "cautious"),
    "patient": say_in("temper", "patient"),
    "vindictive": say_in("temper", "vindictive"),
}
"""What a temper is called."""
ALONG: Final = (
    "Allen", "Baxter", "Bowery", "Chrystie", "Eldridge", "Elizabeth", "Essex", "Forsyth", "Ludlow", "Mott", "Mulberry",
    "Norfolk", "Orchard", "Pitt", "Suffolk",
)  # fmt: skip
ACROSS: Final = (
    "Bayard", "Broome", "Canal", "Delancey", "Division", "Grand", "Hester", "Houston", "Prince", "Rivington", "Spring",
    "Stanton",
)  # fmt: skip
"""Streets that meet in the wards of the boards: the same words in every language."""


def table_name(head: Head) -> str:
    """Return what the table of a game is called."""
    return name_of(head.game, head.name)


def name_of(game: str, chosen: str | None) -> str:
    """Return the name chosen for a table, or else the street corner that the id of its game stands for.

    A chosen name is free text about people, so it is not in the history (Q-5): it is a column of the game's row.
    """
    if chosen:
        return chosen
    place = int.from_bytes(hashlib.sha256(game.encode()).digest()[:4])
    return f"{ALONG[place % len(ALONG)]} & {ACROSS[place // len(ALONG) % len(ACROSS)]}"


def title_and_table(head: Head) -> Sentence:
    """Return the title of a game with the name of its table, as headlines have them."""
    return say("{title} “{table}”", title=head.rules.presentation.title, table=table_name(head))


def notation_names(connection: Connection, head: Head) -> list[str]:
    """What to call each seat in the notation of this table."""
    return handles(display_names(connection, head), head.rules)


def handles_by_pawn(connection: Connection, head: Head) -> dict[str, str]:
    """What to type for each player, by the pawn of the seat: for lines of the notation that people read."""
    names = display_names(connection, head)
    typed = zip(head.rules.notation.pawns, handles(names, head.rules), names, strict=False)
    return {pawn: handle for pawn, handle, name in typed if name}


def display_names(connection: Connection, head: Head) -> list[str | None]:
    """The players' names by seat; None for a bot, an empty seat, or a former player."""
    known = {row[0]: row[1] for row in players.sitting(connection, game=head.game)}
    return [known.get(seat) for seat in range(len(head.table.chairs))]


def names_at(connection: Connection, table: Table) -> list[str | None]:
    """Return the present names of those who sit at a table, or sat there then; None as in `display_names`."""
    known = readers.names_of(connection, {chair.player for chair in table.chairs if chair.player})
    return [known.get(chair.player or "") for chair in table.chairs]


def chair_status(chair: Chair) -> Literal["bot", "vacant", "empty", "taken"]:
    """Who plays a seat, if anybody."""
    if chair.bot is not None:
        return "bot"
    return "vacant" if chair.vacant else "taken" if chair.taken else "empty"


def shown_names(connection: Connection, head: Head) -> list[str]:
    """What to call each seat in sentences: its player's name, a former player by their pawn, a bot with its strength,
    else its pawn."""
    names = display_names(connection, head)
    return [called(head.rules, seat, chair, names[seat]) for seat, chair in enumerate(head.table.chairs)]


def called(rules: Rules, seat: Seat, chair: Chair, name: str | None) -> str:
    """What to call who sits on a chair, if anybody; `name` is the player's own, as long as it is known."""
    if chair.player is not None:
        return name or former_player(rules, seat)
    pawn = capital(typed(rules.notation.pawns[seat]))
    return pawn if chair.bot is None else say("{pawn} (bot {strength})", pawn=pawn, strength=chair.bot.strength)


def bot_name(rules: Rules, seat: Seat, bot: Bot) -> Sentence:
    """A bot by its pawn, its strength and its temper: "Yellow (bot 2, patient)"; of an even one nothing is said."""
    pawn = capital(typed(rules.notation.pawns[seat]))
    if bot.temper == "even":
        return say("{pawn} (bot {strength})", pawn=pawn, strength=bot.strength)
    return say("{pawn} (bot {strength}, {temper})", pawn=pawn, strength=bot.strength, temper=TEMPERED[bot.temper])
