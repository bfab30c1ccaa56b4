"""What may be a name: nothing that nobody sees, nothing that looks like another (T-5A, UTS 39)."""

import subprocess
import sys

import pytest

from service.accounts.lookalikes import look_alike
from service.accounts.names import email_key, normalise_email, normalise_name
from service.languages import words

SEEN = [
    "Ann", "Anna Maria", "Jürgen", "Łukasz", "Søren", "Zoë 2", "O’Neill", "D'Arcy", "Ángel", "Nguyễn", "Жанна",
    "Αλέξανδρος", "דוד", "محمد", "山田太郎", "山田 Taro", "さくら", "カタカナ", "김철수", "Kim 철수", "陳大文 David",
    "ㄅㄆㄇ 陳", "सीता", "Ann 🎲", "Hosting Hans", "Robot", "Admiral",
]  # fmt: skip
UNSEEN = "\u00ad \u034f \u061c \u115f \u1160 \u17b4 \u180b \u180e \u200b \u200f \u202e \u2060 \u2800 \u3164".split(" ")


@pytest.mark.slow
@pytest.mark.parametrize("name", SEEN)
def test_t5a_names_of_all_the_world_are_taken(name):
    assert normalise_name(name) == name


@pytest.mark.parametrize("letter", [*UNSEEN, "\ufe0f", "\ufeff", "\uffa0", "\U000e0100", "\U0001d173"])
@pytest.mark.parametrize("name", ["{}", "An{}n", "{}Ann", "Ann{}"])
def test_t5a_letters_that_nobody_sees_are_refused(letter, name):
    with pytest.raises(ValueError, match=r"control characters|that nobody can see|invisible joiner"):
        normalise_name(name.format(letter))


def test_rfc5322_3_4_a_name_is_no_address():
    """Mail programs would answer to the address in it."""
    for name in (
        '"Ann" <victim@evil.example>', "Ann, victim@evil.example", "victim@evil.example", "<Ann>", "Ann>", "Ann, Bob",
        'Ann "the Boss"', "m@x", "@ann", "Ann＠evil.example", "Ann，Bob", "＜Ann＞", "Ann﹐Bob", "＂Ann＂", ",Ann",
    ):  # fmt: skip
        with pytest.raises(ValueError, match="mail would take it for an address"):
            normalise_name(name)
    for name in ("O’Neill", "D'Arcy", "Ann “the Boss”", "Ann; Bob", "Ann & Bob", "Ann (of Rome)", "A.-M. Dupont"):
        assert normalise_name(name) == name


def test_rfc5892_joiners_stand_between_letters_that_need_them():
    for name in (
        "مهدی\u200cنژاد", "ශ්\u200dරී", "ന്\u200dറെ", "क्\u200dष", "क्\u200cष", "می\u200cنا", "بَ\u200cب",
    ):  # fmt: skip
        assert normalise_name(name) == name
    for name in (
        "An\u200dn", "An\u200cn", "\u200cمهدی", "مهدی\u200c", "مهد\u200cی", "م\u200dه", "م\u200c\u200cه", "م\u200c ه",
        "ශ්\u200d", "ශ\u200dරී", "👩\u200d👧 Ann", "山\u200d田", "2\u200d3", "م\u200c2", "Ан\u200cна", "\u200d",
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"invisible joiner \(ZWJ, ZWNJ\)"):
            normalise_name(name)
    assert look_alike("می\u200cنا", "مینا")


def test_rfc5890_an_address_at_an_internationalised_domain_is_kept_as_browsers_send_it():
    for address, kept in {
        "ida@müller.example": "ida@xn--mller-kva.example",
        "ida@MÜLLER.example": "ida@xn--mller-kva.example",
        "ida@mu\u0308ller.example": "ida@xn--mller-kva.example",
        "ida@xn--mller-kva.example": "ida@xn--mller-kva.example",
        "ida@пример.example": "ida@xn--e1afmkfd.example",
        "ida@例え.example": "ida@xn--r8jz45g.example",
        "Ida@Example.org": "Ida@Example.org",
    }.items():
        assert normalise_email(address) == kept
        assert email_key(address) == email_key(kept)
    for address in (
        "idä@example.org", "ida@straße.example", "ida@ｅxample.org", "ida@.müller.example", "ida@müller..example",
        "ida@mül ler.example", "ida@mül\u200dler.example", "@müller.example", "ida@" + "ü" * 80 + ".example",
    ):  # fmt: skip
        with pytest.raises(ValueError, match="no mail address"):
            normalise_email(address)


@pytest.mark.parametrize("name", ["Аnn", "Ann Ольга", "Anη", "Jоhn", "Ρete", "Annа", "Жан 山", "ᎪᏁn", "Анна דוד"])
def test_t5a_a_name_is_of_one_script(name):
    with pytest.raises(ValueError, match="one script"):
        normalise_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "Wardroom", "wardroom", "WARDROOM", "Ward room", "W.a.r.d.r.o.o.m", "Wardr00m", "Ｗａｒｄｒｏｏｍ",
        "Wardroorn", "Wardroom Support",
        "wardroom-team", "Admin", "adrnin", "ADMIN!", "Hôte", "System",
        "Système", "Support", "root", "R00t", "Caretaker", "Gastgeber", "Nobody",
    ],
)  # fmt: skip
def test_t5a_nobody_is_called_as_the_service_or_as_those_who_run_it(name):
    with pytest.raises(ValueError, match="the service's own"):
        normalise_name(name)


@pytest.mark.parametrize(
    "one, other",
    [
        ("Ann", "Ann"), ("Ann", "ann"), ("Ann", "ANN"), ("Iimes11", "limes11"), ("Bill", "BiII"), ("Tom", "Torn"),
        ("Оля", "Oля"), ("Ann", "Ａｎｎ"), ("Bob", "Воb"), ("paypal", "раураl"), ("Zoë", "Zoe\u0308"),
        ("Ann 1", "Ann l"),
    ],
)  # fmt: skip
def test_t5a_what_looks_alike_comes_down_to_the_same(one, other):
    assert look_alike(one, other)


@pytest.mark.parametrize(
    "one, other", [("Ann", "Anna"), ("Zoë", "Zoe"), ("Jan", "Ian"), ("Ann 1", "Ann 2"), ("Bo", "Bö")]
)
def test_t5a_what_can_be_told_apart_is_not_alike(one, other):
    assert not look_alike(one, other)


@pytest.mark.slow
def test_the_tables_of_lookalikes_are_not_read_before_a_name_is_given():
    script = "import sys, service.accounts.names; sys.exit('confusable_homoglyphs' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], timeout=60).returncode == 0


@pytest.mark.parametrize(
    "name",
    [
        "A\u0007nn",
        "A\u3164nn",
        "A\u200cnn",
        "<Ann>",
        "",
        "!",
        "=?x",
        "a former player (red)",
        "\u0410nn",
        "Wardroom",
        "x" * 41,
    ],
)
@pytest.mark.parametrize("language", ["fr", "de"])
def test_out_37_why_a_name_cannot_be_is_said_in_the_reader_s_language(name, language):
    with pytest.raises(ValueError, match=r".") as refused:
        normalise_name(name)
    why = refused.value.args[0]
    assert words(language)(why) != str(why)
