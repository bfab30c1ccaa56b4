"""What people hear of bots that move: one mail when it is theirs again, with names, and each move as it comes."""

from domain.engine.bots import Bot
from domain.engine.game import Action
from service.games import long_poll
from service.games.questions import Question
from tests.letters import text_of
from tests.tables import Tables
from tests.thinking import any_move, think_all

BOTS = [Bot(1), Bot(2, "patient"), Bot(3)]


def person_moves(tables: Tables, game: str) -> None:
    """Ann does what she is asked for, until bots are."""
    while 0 in tables.awaited(game):
        tables.play_on(game, 3)


def test_a_person_gets_one_mail_after_all_bots_have_moved_and_it_tells_what_each_did(
    sqlite_tables: Tables,
) -> None:
    game = sqlite_tables.begin("ann", bots=BOTS, kind="tammany-hall")
    think_all(sqlite_tables.services)
    sqlite_tables.deliver()
    before = len(sqlite_tables.carrier.letters_to("ann"))
    person_moves(sqlite_tables, game)
    version = sqlite_tables.head(game).version
    asked: list[int] = []

    def mind(question: Question) -> list[Action]:
        assert sqlite_tables.deliver() == 0, "nothing is told while bots move"
        asked.append(question.seat)
        return any_move(question)

    think_all(sqlite_tables.services, mind)
    assert sqlite_tables.awaited(game) == [0]
    assert {*asked} == {1, 2, 3}
    assert sqlite_tables.deliver() == 1
    (letter,) = sqlite_tables.carrier.letters_to("ann")[before:]
    text = text_of(letter)
    news = text[text.index("Since your last move:") :]
    for name in ("(bot 1)", "(bot 2)", "(bot 3)"):
        assert name in news
    assert sqlite_tables.head(game).version > version


def test_a_long_poll_shows_each_move_as_it_comes(sqlite_tables: Tables) -> None:
    """The move before is there to be seen while the next one is thought about."""
    game = sqlite_tables.begin("ann", bots=[Bot(1), Bot(1)])
    sqlite_tables.move(game, "ann", "hide 0")
    versions = [sqlite_tables.head(game).version - 1]

    def mind(question: Question) -> list[Action]:
        assert long_poll.for_news(sqlite_tables.services, "ann", game, versions[-1], seconds=60)
        versions.append(sqlite_tables.head(game).version)
        return any_move(question)

    assert think_all(sqlite_tables.services, mind) >= 2
    assert versions == sorted({*versions})
