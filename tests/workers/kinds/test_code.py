"""The mail with a one-time code says everything its code can do (S-20, S-50)."""

from service.accounts import sign_in
from service.store.people import players
from tests.letters import html_of, text_of
from tests.tables import Tables


def test_s50_the_mail_with_a_code_says_that_the_code_also_erases(sqlite_tables: Tables) -> None:
    sqlite_tables.request_code("ann")
    sqlite_tables.deliver()
    (letter,) = sqlite_tables.carrier.letters_to("ann")
    for text in (" ".join(text_of(letter).split()), " ".join(html_of(letter).split())):
        assert "If you asked for all that is kept about you to be erased, the same code confirms it" in text
        assert "with your address to DELETE http" in text
        assert "without it nobody gets in, and nothing is erased." in text


def test_the_code_to_sign_up_with_is_mailed_to_the_address_as_it_was_typed_in_the_language_asked_for(
    sqlite_tables: Tables,
):
    tables = sqlite_tables
    with tables.services.database.write() as tx:
        profile = {"name": "Anna", "email": "Anna@People.example", "timezone": "UTC", "language": "de"}
        sign_in.ask(tables.services, tx, profile["email"], profile=profile)
    assert tables.deliver() == 1
    (letter,) = tables.carrier.letters
    assert letter.to == "Anna@People.example"
    code = text_of(letter).partition("Wardroom: ")[2].split()[0]
    assert "Dein Code für Wardroom" in text_of(letter)
    with tables.services.database.write() as tx:
        token, player = sign_in.confirm(tables.services, tx, "anna@people.example", code)
    assert token
    with tables.services.database.read() as connection:
        assert players.by_id(connection, player).email == "Anna@People.example"
