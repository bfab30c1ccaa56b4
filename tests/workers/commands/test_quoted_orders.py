"""Orders that an answer quotes are in the words of its reader, as those that can be typed (OUT-35, OUT-37)."""

import pytest

from tests.tables import Tables


@pytest.mark.parametrize(
    "language, quoted",
    [
        ("en", "Legal now, for example: place"),
        ("fr", "Permis maintenant, par exemple : placer"),
        ("de", "Jetzt erlaubt ist zum Beispiel: setzen"),
    ],
)
def test_out_35_what_would_be_legal_is_said_in_the_reader_s_words(
    mail_tables: Tables, language: str, quoted: str
) -> None:
    game = mail_tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    name = ("ann", "bob", "cyd")[mail_tables.awaited(game)[0]]
    mail_tables.change_profile(name, language=language)
    mail_tables.exchange()
    mail_tables.reply(name, "place 1 17\nend")
    mail_tables.exchange()
    text = mail_tables.newest_text(name, "answer")
    assert quoted in " ".join(text.split())
