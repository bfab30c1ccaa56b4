"""Sentences: English texts that can be said again in another language (OUT-37)."""

import gettext
import json

import pytest

from domain.engine.refusals import RuleViolation, require
from domain.engine.sentences import (
    COMMAND,
    capital,
    one_of,
    pack,
    row,
    said,
    say,
    say_in,
    say_n,
    say_n_in,
    typed,
    unpack,
)

KNOWN = {
    "Ward {ward} is locked.": "Le quartier {ward} est verrouillé.",
    "{player} takes {cube} immigrant.": "{player} prend un immigré {cube}.",
    "an irish": "irlandais",
    "{some} and {last}": "{some} et {last}",
    "none": "aucun",
    "; ": " ; ",
}
IN_CONTEXT = {(COMMAND, "irish"): "irlandais", ("column", "bosses"): "patrons"}


class French(gettext.NullTranslations):
    """A catalogue as small as can be."""

    def gettext(self, message: str) -> str:
        return KNOWN.get(message, message)

    def pgettext(self, context: str, message: str) -> str:
        return IN_CONTEXT.get((context, message), message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return {"{count} boss": "{count} patron", "{count} bosses": "{count} patrons"}[msgid1 if n < 2 else msgid2]

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return f"{context}: {self.ngettext(msgid1, msgid2, n)}"


FRENCH = French()


def test_a_sentence_is_its_english_text():
    made = say("Ward {ward} is locked.", ward=6)
    assert made == "Ward 6 is locked."
    assert isinstance(made, str)
    assert type(str(made)) is str
    assert (made.template, made.values) == ("Ward {ward} is locked.", {"ward": 6})


def test_out_37_a_sentence_is_said_in_another_language():
    assert said(say("Ward {ward} is locked.", ward=6), FRENCH) == "Le quartier 6 est verrouillé."


def test_out_37_sentences_in_a_sentence_are_said_too():
    made = say("{player} takes {cube} immigrant.", player="Ann", cube=say("an irish"))
    assert (made, said(made, FRENCH)) == ("Ann takes an irish immigrant.", "Ann prend un immigré irlandais.")


def test_out_37_a_word_of_the_notation_begins_with_a_capital_in_every_language():
    made = say("{player} takes {cube} immigrant.", player=capital(typed("irish")), cube=say("an irish"))
    assert (made, said(made, FRENCH)) == ("Irish takes an irish immigrant.", "Irlandais prend un immigré irlandais.")
    assert capital("") == ""


def test_out_37_what_no_catalogue_knows_stays_english():
    made = row([say("Nobody knows {what}.", what=say("an irish")), "Plain."], " ")
    assert said(made, FRENCH) == "Nobody knows irlandais. Plain."
    assert said("none", FRENCH) == "none", "a plain text is nobody's to translate"
    assert said(7, FRENCH) == "7"
    assert said("", gettext.NullTranslations()) == said(row([]), gettext.NullTranslations()) == ""


@pytest.mark.parametrize(
    "count, english, french", [(0, "bosses", "patron"), (1, "boss", "patron"), (2, "bosses", "patrons")]
)
def test_out_37_each_language_counts_in_its_own_way(count, english, french):
    made = say_n("{count} boss", "{count} bosses", count)
    assert (made, said(made, FRENCH)) == (f"{count} {english}", f"{count} {french}")


@pytest.mark.parametrize(
    "count, english, french", [(0, "0 bosses", "on the board: 0 patron"), (1, "1 boss", "on the board: 1 patron")]
)
def test_out_37_also_where_a_context_tells_it_apart(count, english, french):
    made = say_n_in("on the board", "{count} boss", "{count} bosses", count)
    assert (made, said(made, FRENCH), said(made, gettext.NullTranslations())) == (english, french, english)


def test_out_37_context_tells_apart_what_reads_alike_in_english():
    assert said(say_in("column", "bosses"), FRENCH) == "patrons"
    assert said(say_in("elsewhere", "bosses"), FRENCH) == "bosses"


def test_in_14_a_word_of_the_notation_is_said_as_it_is_typed():
    assert (typed("irish"), said(typed("irish"), FRENCH)) == ("irish", "irlandais")


@pytest.mark.parametrize(
    "words, english, french",
    [([], "none", "aucun"), ([1], "1", "1"), ([1, 2], "1 and 2", "1 et 2"), ([1, 2, "x"], "1, 2 and x", "1, 2 et x")],
)
def test_lists_end_with_the_word_for_and(words, english, french):
    assert (one_of(words), said(one_of(words), FRENCH)) == (english, french)


def test_what_stands_between_texts_is_said_if_it_is_a_sentence():
    texts = [typed("irish"), "x"]
    assert (row(texts, say("; ")), said(row(texts, say("; ")), FRENCH)) == ("irish; x", "irlandais ; x")
    assert said(row(texts, "; "), FRENCH) == "irlandais; x"


def test_names_with_braces_are_only_names():
    made = say("{player} takes {cube} immigrant.", player="{cube}{", cube="{}")
    assert (made, said(made, FRENCH)) == ("{cube}{ takes {} immigrant.", "{cube}{ prend un immigré {}.")


def test_a_refusal_remembers_what_it_was_made_of():
    with pytest.raises(RuleViolation) as refused:
        require(False, "locked-ward", "TH-7.11", "Ward {ward} is locked.", ward=6)
    assert refused.value.message == "Ward 6 is locked."
    assert said(refused.value.message, FRENCH) == "Le quartier 6 est verrouillé."


def test_a_refusal_takes_a_finished_sentence():
    with pytest.raises(RuleViolation) as refused:
        require(False, "x", "TH-1", say("Ward {ward} is locked.", ward="{ward}"))
    assert said(refused.value.message, FRENCH) == "Le quartier {ward} est verrouillé."


def test_what_takes_time_to_tell_is_told_only_in_a_refusal():
    told = []
    require(True, "x", "TH-1", "{list}", list=lambda: told.append(1))
    assert told == []
    with pytest.raises(RuleViolation, match=r"^1, 2 and 3$") as refused:
        require(False, "x", "TH-1", "{list}", list=lambda: one_of([1, 2, 3]))
    assert said(refused.value.message, FRENCH) == "1, 2 et 3"


@pytest.mark.parametrize(
    "made",
    [
        say("Ward {ward} is locked.", ward=6),
        say("{player} takes {cube} immigrant.", player="Ann", cube=say("an irish")),
        say_n("{count} boss", "{count} bosses", 2),
        say_n_in("column", "{count} boss", "{count} bosses", 1),
        say_in("column", "bosses"),
        one_of(["1", say("an irish")]),
        row([say("an irish"), "2"], say("; ")),
        say("{player} takes {cube} immigrant.", player=capital(typed("irish")), cube=capital("ann")),
    ],
)
def test_out_37_a_sentence_can_be_kept_and_said_later_in_another_language(made):
    kept = unpack(json.loads(json.dumps(pack(made))))
    assert (kept, said(kept, FRENCH)) == (made, said(made, FRENCH))


def test_a_plain_text_is_kept_as_it_is():
    assert (pack("Plain."), unpack("Plain."), unpack(None)) == ("Plain.", "Plain.", None)
