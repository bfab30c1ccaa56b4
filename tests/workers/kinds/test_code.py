"""The mail with a one-time code says everything its code can do (S-20, S-50)."""

from service.accounts import sign_in
from service.store import players
from tests.workers.office import Office, html_of, text_of


def test_s50_the_mail_with_a_code_says_that_the_code_also_erases(small_office: Office) -> None:
    small_office.asks_for_a_code("ann")
    small_office.delivers()
    (letter,) = small_office.carrier.to("ann")
    for text in (" ".join(text_of(letter).split()), " ".join(html_of(letter).split())):
        assert "To have all that is kept about you erased, send it with your address to DELETE" in text
        assert "/api/v1/me instead." in text
        assert "without the code nobody gets in, and nothing is erased." in text


def test_the_code_to_sign_up_with_is_mailed_to_the_address_as_it_was_typed_in_the_language_asked_for(
    small_office: Office,
):
    office = small_office
    with office.services.database.write() as tx:
        profile = {"name": "Anna", "email": "Anna@People.example", "timezone": "UTC", "language": "de"}
        sign_in.ask(office.services, tx, profile["email"], profile=profile)
    assert office.delivers() == 1
    (letter,) = office.carrier.letters
    assert letter.to == "Anna@People.example"
    code = text_of(letter).partition("Wardroom: ")[2].split()[0]
    assert "Dein Code für Wardroom" in text_of(letter)
    with office.services.database.write() as tx:
        token, player = sign_in.confirm(office.services, tx, "anna@people.example", code)
    assert token
    with office.services.database.read() as connection:
        assert players.by_id(connection, player).email == "Anna@People.example"
