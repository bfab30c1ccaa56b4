"""What letters say of the clock: the bank, what a missed deadline costs, and leave that is not understood."""

from tests.tables import Tables
from tests.workers.commands.test_undo import told
from tests.workers.mail_tables import mail_tables

__all__ = ["mail_tables"]
BANK = {"per_move": "P3D", "bank": "P9D", "reminders": ["P1D", "PT6H"]}


def test_rate08_one_reminder_comes_before_the_bank_is_used_and_says_so(mail_tables: Tables) -> None:
    mail_tables.begin("ann", "bob", clock=BANK)
    mail_tables.exchange()
    ends = "Fri 07 Mar 2031 12:00 UTC"
    letter = " ".join(mail_tables.newest_text("ann").split())
    assert f"Your time for this move ends {ends}; after that your bank is used, until Sun 16 Mar 2031" in letter
    mail_tables.advance(days=2, hours=9, minutes=50)  # six hours before is night: the last call is the evening before
    mail_tables.sweep()
    mail_tables.sweep()
    mail_tables.exchange()
    rungs = [row["decision"].partition(".")[2] for row in mail_tables.notices(kind="reminder")]
    assert rungs == ["3", "3"], "one each"
    assert f"ends {ends}; then your bank is used." in mail_tables.newest_text("ann")


def test_who_missed_a_deadline_reads_what_the_next_one_costs(mail_tables: Tables) -> None:
    mail_tables.begin("ann", "bob", clock=BANK)
    mail_tables.exchange()
    mail_tables.advance(days=12, minutes=11)
    mail_tables.sweep()
    mail_tables.exchange()
    letter = " ".join(mail_tables.newest_text("ann", "deadline-passed").split())
    assert "That was deadline number 1 in a row; with number 2 your seat falls vacant." in letter
    assert "“undo ask lapse” asks the table to undo it." in letter
    assert "Your time bank is used up." in letter


def test_a_day_without_its_year_is_asked_for_as_a_day_and_not_as_an_amount(mail_tables: Tables) -> None:
    mail_tables.begin("ann", "bob", clock=BANK)
    mail_tables.exchange()
    state, answer = told(mail_tables, "ann", "away 24.12. - 2.1.")
    assert state == "rejected"
    assert "Write “away 2026-12-24 2027-01-02”" in answer
