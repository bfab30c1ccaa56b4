"""Games at a glance, for lists of them: who sits there, how far it is, who is waited for, until when."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from domain.engine.bots import Bot
from domain.engine.game import CHANCE, Seat
from domain.engine.sentences import Sentence, capital, typed
from domain.table.clock import open_decisions
from domain.table.evolve import Rules
from service.container import Services
from service.games.seat_names import chair_status, display_names, shown_names, table_name
from service.kernel.log import log
from service.pictures import stage_text
from service.store.clocks import decisions
from service.store.clocks.decisions import Decision
from service.store.database import Connection, DBAPIError
from service.store.event_store.streams import Head
from service.store.games import game_rows, invitations
from service.store.people import avoided, players

MOST: Final = 60
"""Games in one list."""
LATELY: Final = 6
"""Games that are over."""


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits on a seat, as a list shows it."""

    pawn: str
    name: str  # a bot is called by its pawn; "" for a free seat
    status: str  # taken, vacant, bot, empty
    asked: bool = False
    own: bool = False
    won: bool = False
    bot: Bot | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Overview:
    """A game as one player sees it in a list; times in microseconds."""

    game: str
    name: str  # of the table
    rules: Rules
    status: str
    public: bool
    sitters: tuple[Sitter, ...]
    host: str
    stage: Sentence | None
    asks: Sentence | None  # what is asked of the one who looks
    due: int | None  # until when
    is_drafted: bool  # whether the one who looks has left a draft of the answer
    paused: bool
    opened_options: dict[str, str]  # those that differ from the default
    clock: dict[str, object]
    last_at: int

    @property
    def kind(self) -> str:
        return self.rules.kind

    @property
    def title(self) -> str:
        return self.rules.presentation.title

    @property
    def free(self) -> int:
        """How many may still sit down."""
        return sum(sitter.status == "empty" for sitter in self.sitters)

    @property
    def vacant(self) -> bool:
        """Whether the caretaker plays a seat that somebody else may take over."""
        return self.status == "running" and any(sitter.status == "vacant" for sitter in self.sitters)

    @property
    def awaited(self) -> list[Sitter]:
        """Who is waited for."""
        return [sitter for sitter in self.sitters if sitter.asked]

    @property
    def won(self) -> bool:
        """Whether the one who looks has won it."""
        return any(sitter.own and sitter.won for sitter in self.sitters)

    @property
    def mine(self) -> bool:
        """Whether the one who looks sits there."""
        return any(sitter.own for sitter in self.sitters)


@dataclass(frozen=True, slots=True)
class Desk:
    """All that waits for a player, and what goes on around them."""

    waiting: list[Overview]
    going: list[Overview]
    open: list[Overview]
    invited: list[Overview]
    over: list[Overview]


def desk(services: Services, connection: Connection, player: str) -> Desk:
    """The games of a player, sorted by what they want of them."""
    owed = {row.decision.game_id: row.decision for row in decisions.waiting_for(connection, player)}
    sat_at = [game for game, _ in game_rows.sat_at_by(connection, player)]
    mine = {view.game: view for view in overviews(services, connection, player, sat_at[:MOST], owed)}
    key = players.email_key_of(connection, player)
    asked = [] if key is None else invitations.open_to(connection, key, MOST, avoided.apart_from(connection, player))
    over = game_rows.ended_lately(connection, player, LATELY)
    return Desk(
        waiting=[mine[game] for game in owed if game in mine],
        going=[view for view in mine.values() if view.status == "running" and view.game not in owed],
        open=[view for view in mine.values() if view.status == "open"],
        invited=[view for view in overviews(services, connection, player, asked) if not view.mine],
        over=list(overviews(services, connection, player, over)),
    )


def overviews(
    services: Services,
    connection: Connection,
    player: str | None,
    games: Iterable[str],
    owed: dict[str, Decision] | None = None,
) -> Iterable[Overview]:
    """These games as a player sees them, or nobody who is known; without those that cannot be opened now."""
    for game in games:
        try:
            head = services.streams.head(connection, game)
        except DBAPIError:
            raise
        except Exception as error:
            log("wardroom.games", "warning", "a list goes without a game", game=game, error=type(error).__name__)
            continue
        yield overview(connection, head, player, (owed or {}).get(game))


def overview(connection: Connection, head: Head, player: str | None, owed: Decision | None = None) -> Overview:
    """One game; `owed` is what the player owes in it."""
    table, rules = head.table, head.rules
    seat = table.seat_of(player)
    view = None if table.game is None else rules.decider.view(table.game, seat)
    if view is not None:
        for entry, name in zip(view["seats"], shown_names(connection, head), strict=False):
            entry["name"] = name
    usual = {name: values[0] for name, values in rules.options.items()}
    names = display_names(connection, head)
    return Overview(
        game=head.game,
        name=table_name(head),
        rules=rules,
        status=table.status,
        public=table.public,
        sitters=tuple(_sitters(head, seat, names)),
        host=next(
            (str(name) for name, chair in zip(names, table.chairs, strict=True) if chair.player == table.host), ""
        ),
        stage=None if view is None else stage_text(rules.kind, view),
        asks=rules.presentation.asks(view) if owed is not None and view is not None else None,
        due=None if owed is None else owed.due_at,
        is_drafted=owed is not None and owed.draft is not None,
        paused=table.paused,
        opened_options={name: value for name, value in table.options.items() if value != usual.get(name)},
        clock=table.clock,
        last_at=head.news_at,
    )


def _sitters(head: Head, own: Seat | None, names: Sequence[str | None]) -> Iterable[Sitter]:
    table, rules = head.table, head.rules
    asked = open_decisions(table, rules) if table.status == "running" else {}
    winners = table.result.winners if table.result else []
    for seat, (chair, name) in enumerate(zip(table.chairs, names, strict=True)):
        status, pawn = chair_status(chair), rules.notation.pawns[seat]
        shown = (name or "") if chair.bot is None else capital(typed(pawn))
        yield Sitter(
            pawn, shown, status, seat in {*asked} - {CHANCE}, seat == own, seat in winners, chair.bot, chair.player
        )  # fmt: skip
