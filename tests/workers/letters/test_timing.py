"""What letters say of the clock: the bank, what a missed deadline costs, and leave that is not understood."""

from tests.workers.commands.test_undo import told
from tests.workers.post import Post, post

__all__ = ["post"]
BANK = {"per_move": "P3D", "bank": "P9D", "reminders": ["P1D", "PT6H"]}


def test_rate08_one_reminder_comes_before_the_bank_is_used_and_says_so(post: Post) -> None:
    post.begins("ann", "bob", clock=BANK)
    post.round()
    ends = "Fri 07 Mar 2031 12:00 UTC"
    letter = " ".join(post.text("ann").split())
    assert f"Your time for this move ends {ends}; after that your bank is used, until Sun 16 Mar 2031" in letter
    post.hands.advance(days=2, hours=9, minutes=50)  # six hours before is night: the last call is the evening before
    post.sweeps()
    post.sweeps()
    post.round()
    rungs = [row["decision"].partition(".")[2] for row in post.notices(kind="reminder")]
    assert rungs == ["3", "3"], "one each"
    assert f"ends {ends}; then your bank is used." in post.text("ann")


def test_who_missed_a_deadline_reads_what_the_next_one_costs(post: Post) -> None:
    post.begins("ann", "bob", clock=BANK)
    post.round()
    post.hands.advance(days=12, minutes=11)
    post.sweeps()
    post.round()
    letter = " ".join(post.text("ann", "deadline-passed").split())
    assert "That was deadline number 1 in a row; with number 2 your seat falls vacant." in letter
    assert "“undo ask lapse” asks the table to undo it." in letter
    assert "Your time bank is used up." in letter


def test_a_day_without_its_year_is_asked_for_as_a_day_and_not_as_an_amount(post: Post) -> None:
    post.begins("ann", "bob", clock=BANK)
    post.round()
    state, answer = told(post, "ann", "away 24.12. - 2.1.")
    assert state == "rejected"
    assert "Write “away 2026-12-24 2027-01-02”" in answer
