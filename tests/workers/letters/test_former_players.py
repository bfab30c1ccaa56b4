"""Who does not sit there any more learns nothing of the seat, whatever mails they still have (OUT-25, OUT-30)."""

import pytest

from tests.letters import parsed
from tests.tables import Tables

CANARY = "what-dave-hides"


def taken_over(mail_tables: Tables, *, public: bool) -> str:
    """Cyd's seat fell vacant, dave took it over and hid something."""
    game = mail_tables.begin(
        "ann", "bob", "cyd", options={"rounds": "3"}, public=public, invite=["bob@people.example", "cyd@people.example"]
    )
    mail_tables.exchange()
    while not mail_tables.head(game).table.chairs[2].vacant:
        if 2 in mail_tables.awaited(game):
            assert mail_tables.expire(game, 2)
        else:
            mail_tables.play_on(game)
    mail_tables.player("dave")
    if not public:
        mail_tables.execute(
            "INSERT INTO invitations (game_id, email_key, known_by) VALUES (:game, 'dave@people.example', '')",
            game=game,
        )
    mail_tables.sit(game, "dave")
    while mail_tables.phase(game) != "hide" or 2 not in mail_tables.awaited(game):
        mail_tables.play_on(game)
    mail_tables.move(game, 2, f"hide 3 {CANARY}")
    return game


@pytest.mark.parametrize("public", [True, False])
@pytest.mark.parametrize("says", ["status\nlegal\nhistory 50\norders\nboard", "hide 2", "say hello", "nonsense"])
def test_out_25_a_former_player_learns_nothing_of_the_seat_and_changes_nothing(mail_tables, says, public):
    game = taken_over(mail_tables, public=public)
    before = mail_tables.version(game)
    for letter in [one for one in mail_tables.letters_to("cyd") if "Reply-To" in parsed(one)][:2]:
        mail_tables.reply("cyd", says, to=letter)
        mail_tables.exchange()
    assert mail_tables.version(game) == before
    for letter in mail_tables.letters_to("cyd"):
        assert CANARY.encode() not in letter.data
        text = str(parsed(letter).get_body(("plain",)).get_content())
        assert CANARY not in text
    assert CANARY in str(mail_tables.head(game).table.game), "it is there to be told"


def test_out_25_a_yes_that_comes_after_the_seat_was_lost_does_and_tells_nothing(mail_tables):
    """The mail was held while cyd sat there; the answer to the question comes when dave does."""
    game = mail_tables.begin("ann", "bob", "cyd", options={"rounds": "3"})
    mail_tables.exchange()
    mail_tables.reply("cyd", "hide 2", to=mail_tables.newest_letter("cyd"), verdict=None)
    mail_tables.exchange()
    question = mail_tables.newest_letter("cyd", "confirm")
    while not mail_tables.head(game).table.chairs[2].vacant:
        if 2 in mail_tables.awaited(game):
            assert mail_tables.expire(game, 2)
        else:
            mail_tables.play_on(game)
    mail_tables.sit(game, "dave")
    while mail_tables.phase(game) != "hide" or 2 not in mail_tables.awaited(game):
        mail_tables.play_on(game)
    before, letters = mail_tables.version(game), len(mail_tables.letters_to("cyd"))
    mail_tables.reply("cyd", "yes", to=question, verdict=None)
    mail_tables.exchange()
    assert mail_tables.version(game) == before
    for letter in mail_tables.letters_to("cyd")[letters:]:
        text = str(parsed(letter).get_body(("plain",)).get_content())
        assert "legal now" not in text, "what dave may do is dave's to know"
