"""A whole game of Tammany Hall in which every election is answered ahead, in the last mail of its term."""

from collections import Counter
from collections.abc import Callable

import pytest

from domain.engine.game import Seat
from domain.table.events import OrdersFollowed
from service.games import standing_orders
from service.games.play import Orders
from tests.tables import Tables
from tests.workers.mail_tables import mail_tables

__all__ = ["mail_tables"]
PEOPLE = ("ann", "bob", "cyd", "dan")
TERMS = 4
MOST = 6
"""Mails a player and term, as the issue has it."""

Counts = dict[tuple[str, int], Counter[str]]


def ballot(seat: Seat, year: int) -> list[str]:
    """An answer to all an election can ask."""
    others = [name for name in PEOPLE if name != PEOPLE[seat]]
    offices = f"assign deputy {others[0]} council {others[1]} police {others[2]}"
    lines = ["ward 1 up to 2 irish english german italian", "others up to 1 irish english german italian"]
    return [*lines, "bonus others pass", *([offices] if year < 4 * TERMS else [])]


def turn(mail_tables: Tables, game: str, seat: Seat) -> str:
    legal = mail_tables.legal(game, seat)
    contested = [line for line in legal if line.startswith("settle boss 1 ")]
    return "\n".join([(contested or [line for line in legal if line.startswith("place ")])[0], "end"])


def by_mail(mail_tables: Tables, game: str, seat: Seat, year: int) -> None:
    """Whoever is asked answers the mail that asks, once."""
    ahead = ["orders", *ballot(seat, year)] if year % 4 == 0 else []
    number = mail_tables.reply(PEOPLE[seat], "\n".join([turn(mail_tables, game, seat), *ahead]))
    mail_tables.exchange()
    assert mail_tables.mail_state(number) == "applied", mail_tables.outcome(number)


def by_mail_without_receipts(mail_tables: Tables, game: str, seat: Seat, year: int) -> None:
    mail_tables.change_profile(PEOPLE[seat], receipts=False)
    by_mail(mail_tables, game, seat, year)


def by_api(mail_tables: Tables, game: str, seat: Seat, year: int) -> None:
    player, first = mail_tables.ids[PEOPLE[seat]], Orders(text=turn(mail_tables, game, seat))
    if year % 4:
        mail_tables.move(game, seat, first.text or "")
    else:
        with mail_tables.services.database.write() as tx:
            standing_orders.put_orders(
                mail_tables.services, tx, game, player, text="\n".join(ballot(seat, year)), first=first
            )
    mail_tables.exchange()


def played(mail_tables: Tables, answers: Callable[[Tables, str, Seat, int], None]) -> tuple[str, list[str]]:
    """A game to its end, and every decision in it that a person was asked for."""
    game = mail_tables.begin(*PEOPLE, kind="tammany-hall")
    mail_tables.exchange()
    asked = []
    while (head := mail_tables.head(game)).table.status == "running":
        (seat,) = mail_tables.awaited(game)
        asked.append(head.rules.decider.decision(head.table.game))
        answers(mail_tables, game, seat, head.table.game.year)
        mail_tables.advance(hours=1)
    return game, asked


def followed(mail_tables: Tables, game: str) -> int:
    head = mail_tables.head(game)
    with mail_tables.services.database.read() as connection:
        past = mail_tables.services.streams.history(connection, game, head.rules, head.version)
    return sum(isinstance(one.event, OrdersFollowed) for one in past)


def counted(mail_tables: Tables, game: str) -> Counts:
    """The mails of each player in each term: by kind those to them, and those from them."""
    head = mail_tables.head(game)
    counts: Counts = {}
    with mail_tables.services.database.read() as connection:
        terms = [0] * (head.version + 1)
        for version in range(1, head.version + 1):
            state = mail_tables.services.streams.table_at(connection, game, head.rules, version).game
            terms[version] = 1 if state is None else min(TERMS, (max(1, state.year) - 1) // 4 + 1)
    for name in PEOPLE:
        for row in mail_tables.notices(recipient=mail_tables.ids[name], state="sent"):
            answers = row["kind"] == "answer"
            version = mail_tables.outcome(int(row["decision"])).before if answers else row["version"]
            counts.setdefault((name, terms[version]), Counter())[row["kind"]] += 1
        for mail in mail_tables.mails(player_id=mail_tables.ids[name]):
            counts[name, terms[mail_tables.outcome(mail["id"]).before]]["from them"] += 1
    return counts


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "answers, a_term",
    [
        (by_mail, {"your-turn": 4, "from them": 4, "answer": 4}),
        (by_mail_without_receipts, {"your-turn": 4, "from them": 4, "answer": 1}),
        (by_api, {"your-turn": 4}),
    ],
)
def test_four_who_file_ballots_are_asked_by_four_mails_a_term(
    mail_tables: Tables, answers, a_term: dict[str, int]
) -> None:
    """No election asks anybody; a confirmation of each mail they write is all that comes besides (OUT-33).

    Who wants none of those gets one for the ballot alone: six mails a term at most, with the one that ends the game.
    """
    game, asked = played(mail_tables, answers)
    assert Counter(decision.partition("-")[0] for decision in asked) == {"turn": 4 * 4 * TERMS}
    counts = counted(mail_tables, game)
    assert len(counts) == len(PEOPLE) * TERMS
    for (_, term), mails in counts.items():
        assert mails == a_term | ({"game-over": 1} if term == TERMS else {})
        assert mails["your-turn"] + mails["game-over"] <= MOST
        assert answers is by_mail or mails.total() - mails["from them"] <= MOST
        assert mails["from them"] <= MOST
    assert mail_tables.states(kind="orders-dropped") == {}
    assert followed(mail_tables, game) >= 10, "elections would have asked"
