"""Orders that an answer quotes are in the words of its reader, as those that can be typed (OUT-35, OUT-37)."""

import pytest

from tests.workers.post import Post


@pytest.mark.parametrize(
    "language, quoted",
    [
        ("en", "Legal now, for example: place"),
        ("fr", "Permis maintenant, par exemple : placer"),
        ("de", "Jetzt erlaubt ist zum Beispiel: setzen"),
    ],
)
def test_out_35_what_would_be_legal_is_said_in_the_reader_s_words(post: Post, language: str, quoted: str) -> None:
    game = post.begins("ann", "bob", "cyd", kind="tammany-hall")
    name = ("ann", "bob", "cyd")[post.awaited(game)[0]]
    post.changes(name, language=language)
    post.round()
    post.answers(name, "place 1 17\nend")
    post.round()
    text = post.text(name, "answer")
    assert quoted in " ".join(text.split())
