"""A new kind of notice is one file and one line: here is the file, and the line is put in by a fixture."""

import pytest

from domain.engine.sentences import say
from service.container import Services
from service.games.commit import notice as row_about
from service.notify import kind as table
from service.notify.kind import Kind, Urgency
from service.store.database import Connection
from service.store.outgoing import outbox
from service.store.outgoing.notice import Notice
from tests.letters import text_of
from tests.tables import Tables
from tests.workers.mail_tables import mail_tables
from workers.kinds import registry
from workers.kinds.kind import GameKind
from workers.letters.claims import table_of_player
from workers.letters.content import GameContent
from workers.letters.letter_view import LetterView
from workers.letters.sections import Paragraph
from workers.letters.turn_sections import board

__all__ = ["mail_tables"]


def still_true(services: Services, connection: Connection, notice: Notice) -> None:
    table_of_player(services, connection, notice)


def tell(view: LetterView) -> GameContent:
    cheer = Paragraph([say("{name} cheers you on.", name=view.names[0])])
    return GameContent(view, say("Well played in {title}!", title=view.title), [cheer, *board(view)])


KIND = GameKind("toy", say("a cheer"), still_true, tell)


@pytest.fixture(autouse=True)
def one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(table.KINDS, "toy", Kind("toy", Urgency.NEWS))
    monkeypatch.setitem(registry.KINDS, "toy", KIND)


def test_a_toy_kind_is_delivered_in_both_languages_of_its_letter(mail_tables: Tables) -> None:
    game = mail_tables.begin("ann", "bob")
    mail_tables.exchange()
    with mail_tables.services.database.write() as tx:
        outbox.put(tx, [row_about(mail_tables.head(game), mail_tables.ids["bob"], "toy", "1", 1)])
    mail_tables.deliver()
    letter = mail_tables.newest_letter("bob", "toy")
    assert text_of(letter).startswith("Well played in Pennies!")
    assert "Ann cheers you on." in text_of(letter).replace("ann cheers", "Ann cheers")
