"""By mail, too, nobody is seated beside somebody whom they have blocked, or who has blocked them."""

from service.accounts import avoidance
from tests.letters import text_of
from tests.tables import Tables
from tests.workers.mail_tables import mail_tables

__all__ = ["mail_tables"]


def avoid(tables: Tables, name: str, other: str) -> None:
    with tables.services.database.write() as tx:
        avoidance.avoid(tables.services, tx, tables.player(name), tables.player(other), "block")


def joins(tables: Tables, name: str) -> tuple[str, str]:
    """What became of the mail, and what its answer says."""
    number = tables.reply(name, "join")
    tables.exchange()
    return tables.mail_state(number), " ".join(text_of(tables.letters_to(name)[-1]).split())


def test_a_guest_who_was_blocked_after_their_invitation_is_refused_without_a_reason(mail_tables: Tables) -> None:
    mail_tables.player("zed")
    game = mail_tables.open("ann", invite=["zed@people.example"], public=False)
    mail_tables.exchange()
    avoid(mail_tables, "ann", "zed")
    state, answer = joins(mail_tables, "zed")
    assert (state, "This table is not open to you." in answer) == ("rejected", True)
    assert mail_tables.head(game).table.seat_of(mail_tables.ids["zed"]) is None


def test_a_guest_who_has_blocked_somebody_there_is_told_so(mail_tables: Tables) -> None:
    mail_tables.player("zed")
    game = mail_tables.open("ann", invite=["zed@people.example"])
    mail_tables.exchange()
    mail_tables.sit(game, "bob")
    avoid(mail_tables, "zed", "bob")
    state, answer = joins(mail_tables, "zed")
    assert (state, "bob is at this table, and you have blocked them" in answer) == ("rejected", True)
    assert mail_tables.head(game).table.status == "open"
