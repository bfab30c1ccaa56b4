"""Who does not sit there any more learns nothing of the seat, whatever mails they still have (OUT-25, OUT-30)."""

import pytest

from tests.workers.office import parsed
from tests.workers.post import Post

CANARY = "what-dave-hides"


def taken_over(post: Post, *, public: bool) -> str:
    """Cyd's seat fell vacant, dave took it over and hid something."""
    game = post.begins(
        "ann", "bob", "cyd", options={"rounds": "3"}, public=public, invite=["bob@people.example", "cyd@people.example"]
    )
    post.round()
    while not post.head(game).table.chairs[2].vacant:
        if 2 in post.awaited(game):
            assert post.expires(game, 2)
        else:
            post.steps(game)
    post.person("dave")
    if not public:
        post.executes("INSERT INTO invitations (game_id, email_key) VALUES (:game, 'dave@people.example')", game=game)
    post.sits(game, "dave")
    while post.phase(game) != "hide" or 2 not in post.awaited(game):
        post.steps(game)
    post.plays(game, 2, f"hide 3 {CANARY}")
    return game


@pytest.mark.parametrize("public", [True, False])
@pytest.mark.parametrize("says", ["status\nlegal\nhistory 50\norders\nboard", "hide 2", "say hello", "nonsense"])
def test_out_25_a_former_player_learns_nothing_of_the_seat_and_changes_nothing(post, says, public):
    game = taken_over(post, public=public)
    before = post.version(game)
    for letter in [one for one in post.to("cyd") if "Reply-To" in parsed(one)][:2]:
        post.answers("cyd", says, to=letter)
        post.round()
    assert post.version(game) == before
    for letter in post.to("cyd"):
        assert CANARY.encode() not in letter.data
        text = str(parsed(letter).get_body(("plain",)).get_content())
        assert CANARY not in text
    assert CANARY in str(post.head(game).table.game), "it is there to be told"


def test_out_25_a_yes_that_comes_after_the_seat_was_lost_does_and_tells_nothing(post):
    """The mail was held while cyd sat there; the answer to the question comes when dave does."""
    game = post.begins("ann", "bob", "cyd", options={"rounds": "3"})
    post.round()
    post.answers("cyd", "hide 2", to=post.newest("cyd"), verdict=None)
    post.round()
    question = post.newest("cyd", "confirm")
    while not post.head(game).table.chairs[2].vacant:
        if 2 in post.awaited(game):
            assert post.expires(game, 2)
        else:
            post.steps(game)
    post.sits(game, "dave")
    while post.phase(game) != "hide" or 2 not in post.awaited(game):
        post.steps(game)
    before, letters = post.version(game), len(post.to("cyd"))
    post.answers("cyd", "yes", to=question, verdict=None)
    post.round()
    assert post.version(game) == before
    for letter in post.to("cyd")[letters:]:
        text = str(parsed(letter).get_body(("plain",)).get_content())
        assert "legal now" not in text, "what dave may do is dave's to know"
