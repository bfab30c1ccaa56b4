"""The mail with a one-time code says everything its code can do (S-20, S-50)."""

from tests.workers.office import Office, html_of, text_of


def test_s50_the_mail_with_a_code_says_that_the_code_also_erases(small_office: Office) -> None:
    small_office.asks_for_a_code("ann")
    small_office.delivers()
    (letter,) = small_office.carrier.to("ann")
    for text in (" ".join(text_of(letter).split()), " ".join(html_of(letter).split())):
        assert "To have all that is kept about you erased, send it with your address to DELETE" in text
        assert "/api/v1/me instead." in text
        assert "without the code nobody gets in, and nothing is erased." in text
