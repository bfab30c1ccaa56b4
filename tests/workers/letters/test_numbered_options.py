"""The numbers of a mail's options: where an option is an amount, its number is that amount (OUT-31)."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from domain.city_hall import CITY_HALL
from domain.engine.legal import Legal
from domain.tammany_hall import TAMMANY_HALL
from tests.domain.city_hall.playouts import playouts as city_halls
from tests.domain.tammany_hall.playouts import playouts as tammany_halls
from tests.letters import html_of, text_of
from tests.tables import Tables
from tests.workers.mail_tables import mail_tables
from tests.workers.sessions.scene import at_the_auction, at_the_election, certain
from workers.letters.numbered_options import Additions, Option, in_rows, listed, numbered

__all__ = ["mail_tables"]
EVERY = 3
"""One of so many decisions is looked at."""
Playouts = Callable[[], Sequence[Any]]


class Asked:
    """A ruleset in which these actions are legal."""

    def __init__(self, legal: Sequence[str], *, complete: bool = True) -> None:
        self.decider = self.notation = self
        self.legal: Legal[Any] = Legal(list(legal), complete)

    def legal_actions(self, game: Any, seat: int) -> Legal[Any]:
        return self.legal

    def write(self, action: Any) -> str:
        return str(action)


def options(*legal: str, **more: Any) -> list[tuple[int | None, str]]:
    rules: Any = Asked(legal, **more)
    return [(option.number, option.text) for option in numbered(rules, None, 0)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules, played", [(CITY_HALL, city_halls), (TAMMANY_HALL, tammany_halls)], ids=["city", "tammany"]
)
def test_out_31_a_number_is_the_amount_wherever_an_amount_is_asked_for(rules: Any, played: Playouts) -> None:
    """A law of random play: an action that ends in a number has that number or none, and no other has it."""
    seen = set()
    for state, seat in (pair for playout in played() for pair in playout.decisions(EVERY)):
        blind = rules.decider.blind(state, seat)
        legal = {rules.notation.write(action) for action in rules.decider.legal_actions(blind, seat).actions}
        asks = any(asks_for_a_number(text) for text in legal)
        for option in numbered(rules, blind, seat):
            assert option.text in legal
            last = option.text.split()[-1]
            if option.number is not None and (asks or last.isdecimal()):
                seen.add(option.text.split()[0])
                assert last in {str(option.number), "none" if option.number == 0 else ""}, legal
    assert seen >= ({"bid", "campaign"} if rules is CITY_HALL else {"bid", "office"})


def asks_for_a_number(text: str) -> bool:
    """Whether an action is a few words and then nothing but numbers."""
    words = [word for word in text.split() if not word.isdecimal()]
    return text.split()[: len(words)] == words != text.split()


@pytest.mark.parametrize(
    "legal, expected",
    [
        (["bid 0", "bid 1", "pass"], [(0, "bid 0"), (1, "bid 1"), (None, "pass")]),
        (["bid 7", "pass"], [(7, "bid 7"), (None, "pass")]),
        (["campaign 0", "campaign 10", "campaign none"],
         [(0, "campaign 0"), (10, "campaign 10"), (None, "campaign none")]),
        (["bid none", "bid irish 1"], [(0, "bid none"), (1, "bid irish 1")]),
        (["bid none", "bid irish 1", "bid german 1"],
         [(None, "bid none"), (None, "bid irish 1"), (None, "bid german 1")]),
        (["office lock 7", "office lock 14", "end"], [(7, "office lock 7"), (14, "office lock 14"), (None, "end")]),
        (["keep", "accept blue"], [(1, "keep"), (2, "accept blue")]),
        (["buy Q3", "buy none"], [(1, "buy Q3"), (2, "buy none")]),
        (["slander red 1 irish", "slander red 1 irish then 5", "end"],
         [(1, "slander red 1 irish"), (2, "end"), (None, "slander red 1 irish then 5")]),
        (["place 1 7", "place 1 14", "slander red 1 irish"],
         [(None, "place 1 7"), (None, "place 1 14"), (None, "slander red 1 irish")]),
    ],
)  # fmt: skip
def test_out_31_what_is_numbered_how(legal: list[str], expected: list[tuple[int | None, str]]) -> None:
    assert options(*legal) == expected


def test_out_31_amounts_are_never_too_many_to_be_numbers_and_no_other_takes_one_of_theirs() -> None:
    bids = [f"bid {count}" for count in range(30)]
    assert options(*bids, "pass") == [*((count, text) for count, text in enumerate(bids)), (None, "pass")]
    assert options(*bids, "pass", complete=False) == [(None, "pass")]


def test_out_31_of_many_amounts_a_mail_lists_the_first_and_the_last() -> None:
    few = [Option(f"bid {count}", count) for count in range(20)]
    assert listed([*few, Option("pass")]) == [*few, Option("pass")]
    many = [Option(f"bid {count}", count) for count in range(30)]
    assert listed([*many, Option("pass")]) == [*many[:8], None, many[29], Option("pass")]


@pytest.mark.parametrize("said, command", [("2", "bid 2"), ("0", "bid 0"), ("option 1", "bid 1")])
def test_out_31_whoever_answers_with_a_number_bids_that_many(mail_tables: Tables, said: str, command: str) -> None:
    with certain():
        at_the_auction(mail_tables)
        assert "\n   2 = bid 2\n" in text_of(mail_tables.newest_letter("ann"))
        assert "\n  type: pass\n" in text_of(mail_tables.newest_letter("ann"))
        assert 'body=2"' in html_of(mail_tables.newest_letter("ann"))
        assert 'body=pass"' in html_of(mail_tables.newest_letter("ann"))
        mail = mail_tables.reply("ann", said)
        mail_tables.exchange()
        assert mail_tables.outcome(mail).commands == [command]


def test_out_31_no_chips_are_the_number_nought(mail_tables: Tables) -> None:
    """Tammany Hall: a sealed bid of one people (TH-9.2)."""
    with certain():
        at_the_election(mail_tables)
        mail = mail_tables.reply("ann", "0")
        mail_tables.exchange()
        assert mail_tables.outcome(mail).commands == ["bid none"]


def test_out_31_a_number_that_is_no_amount_of_the_mail_is_told_which_are(mail_tables: Tables) -> None:
    with certain():
        at_the_auction(mail_tables)
        mail = mail_tables.reply("ann", "9")
        mail_tables.exchange()
        assert [line.fault for line in mail_tables.outcome(mail).lines] == [
            "There is no option 9: this mail has 0 to 3."
        ]


def test_out_31_only_many_that_add_one_word_to_an_option_share_a_row():
    """What is longer by two words, or by a word to what is no option, has a row of its own."""

    def rows(*texts):
        options = [Option(text, number) for number, text in enumerate(texts, 1)]
        return [row.stem if isinstance(row, Additions) else row and row.text for row in in_rows([*options, None])]

    cards = [f"go far {card}" for card in "abcd"]
    assert rows("go", *cards) == ["go", "go far", None]
    assert rows("go", *cards[1:]) == ["go", *cards[1:], None]
    assert rows("gone", *cards) == ["gone", *cards, None]
    assert rows("go", *cards[:2], "go near e", *cards[2:]) == ["go", *cards[:2], "go near e", *cards[2:], None]
    (_, row, _) = in_rows([Option("go", 1), *(Option(text, place) for place, text in enumerate(cards, 2)), None])
    assert [(option.number, word) for option, word in row.last_words] == [(2, "a"), (3, "b"), (4, "c"), (5, "d")]
