"""What may be a name: nothing that nobody sees, nothing that looks like another (T-5A, UTS 39)."""

import subprocess
import sys

import pytest

from service.accounts.lookalikes import look_alike
from service.accounts.names import normalise_name
from service.languages import words

SEEN = [
    "Ann", "Anna Maria", "Jürgen", "Łukasz", "Søren", "Zoë 2", "O’Neill", "D'Arcy", "Ángel", "Nguyễn", "Жанна",
    "Αλέξανδρος", "דוד", "محمد", "山田太郎", "山田 Taro", "さくら", "カタカナ", "김철수", "Kim 철수", "陳大文 David",
    "ㄅㄆㄇ 陳", "सीता", "Ann 🎲", "m@x", "Hosting Hans", "Robot", "Admiral",
]  # fmt: skip
UNSEEN = (
    "\u00ad \u034f \u061c \u115f \u1160 \u17b4 \u180b \u180e \u200b \u200d \u200f \u202e \u2060 \u2800 \u3164".split(
        " "
    )
)


@pytest.mark.slow
@pytest.mark.parametrize("name", SEEN)
def test_t5a_names_of_all_the_world_are_taken(name):
    assert normalise_name(name) == name


@pytest.mark.parametrize("letter", [*UNSEEN, "\ufe0f", "\ufeff", "\uffa0", "\U000e0100", "\U0001d173"])
@pytest.mark.parametrize("name", ["{}", "An{}n", "{}Ann", "Ann{}"])
def test_t5a_letters_that_nobody_sees_are_refused(letter, name):
    with pytest.raises(ValueError, match=r"control characters|that nobody can see"):
        normalise_name(name.format(letter))


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
    "name", ["A\u0007nn", "A\u3164nn", "", "!", "=?x", "a former player (red)", "\u0410nn", "Wardroom", "x" * 41]
)
@pytest.mark.parametrize("language", ["fr", "de"])
def test_out_37_why_a_name_cannot_be_is_said_in_the_reader_s_language(name, language):
    with pytest.raises(ValueError, match=r".") as refused:
        normalise_name(name)
    why = refused.value.args[0]
    assert words(language)(why) != str(why)
