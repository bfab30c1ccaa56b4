"""Letters of a game with hidden hands: what a player holds is in that player's mail alone (CH-14, OUT-30)."""

import random

import pytest

from tests.letters import text_of
from tests.notices import notice_in
from workers.letters.letter_view import LetterView
from workers.mail_out.compose import check, compose


def letters_of(tables, game):
    """Every letter that is due about a game, with the view of the game it is made of."""
    for row in tables.notices(game_id=game, state="queued"):
        with tables.services.database.read() as connection:
            notice = notice_in(row)
            view = LetterView.of(check(tables.services, connection, notice), notice.seat)
            yield notice.seat, view, compose(tables.services, connection, notice).data.decode()


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_ch_14_7_no_mail_holds_the_money_influence_or_hand_of_another(sqlite_tables, seed):
    game = sqlite_tables.begin("ann", "bob", "cyd", kind="city-hall", clock={"per_move": "P3D"})
    chance, phases = random.Random(seed), set()
    for _ in range(70):
        for seat, view, data in letters_of(sqlite_tables, game):
            players = view.table.game.players
            for other, player in enumerate(players):
                hidden = other != seat and view.table.status == "running"
                assert ((player.money, player.influence, player.hand) == (None, None, None)) == hidden
            assert "City Hall" in data
            phases.add(sqlite_tables.phase(game))
        sqlite_tables.deliver()
        (seat,) = sqlite_tables.awaited(game)
        sqlite_tables.move(game, seat, chance.choice(sqlite_tables.legal(game, seat)))
    assert {"draft", "build", "activate", "bid"} <= phases


def test_ch_7_the_mail_of_an_auction_says_who_what_how_much_and_what_one_may_do(sqlite_tables):
    game = sqlite_tables.begin("ann", "bob", "cyd", kind="city-hall", clock={"per_move": "P3D"})
    while sqlite_tables.phase(game) in ("draft", "build"):
        (seat,) = sqlite_tables.awaited(game)
        sqlite_tables.move(game, seat, sqlite_tables.legal(game, seat)[0])
    (activator,) = sqlite_tables.awaited(game)
    sqlite_tables.move(game, activator, "activate health")
    (first,) = sqlite_tables.awaited(game)
    sqlite_tables.move(game, first, "bid 2")
    (second,) = sqlite_tables.awaited(game)
    (row,) = sqlite_tables.notices(game_id=game, seat=second)[-1:]
    text = " ".join(text_of(sqlite_tables.compose(row)).split())
    for words in ("Health Commissioner", "High bid: 2", "bid NUMBER", "pass", "You, ", "Influence"):
        assert words in text, words
