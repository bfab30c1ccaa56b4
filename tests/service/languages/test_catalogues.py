"""The catalogues are complete, fit the code, and a slip in one of them keeps no letter from being sent (OUT-37)."""

import re
from functools import lru_cache
from pathlib import Path

import pytest
from babel.messages.catalog import Message

from domain.engine.sentences import COMMAND, say, say_in, say_n, typed
from service.api.http.answers import encoded
from service.languages import ENGLISH, LANGUAGES, catalogue, catalogues, commands, extraction, words
from service.languages.catalogues import forms, is_translated, placeholders, po_file, read
from service.languages.extraction import NAMES, SHARED, NoTemplate, texts, update

FOREIGN = [language for language in LANGUAGES if language != ENGLISH]
FILES = [(language, name) for language in FOREIGN for name in NAMES]
A_PO = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"

"""


def messages(language: str, name: str) -> list[Message]:
    return [message for message in read(language, name) if message.id]


def key(message: Message) -> tuple:
    return (message.context or "", *forms(message.id))


@pytest.fixture
def emptied(tmp_path, monkeypatch):
    """A tree with no catalogues and no code yet."""

    def forget():
        for cached in (catalogue, read, commands.commands, commands.synonyms, commands.words_of_all_languages):
            cached.cache_clear()

    forget()
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    monkeypatch.setattr(extraction, "ROOT", tmp_path)
    yield tmp_path
    monkeypatch.undo()
    forget()


def code(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


@lru_cache
def texts_of_the_code(name: str) -> set[tuple]:
    return {(text.context, *forms(text.id)) for text in texts(name)}


# The files


@pytest.mark.slow
@pytest.mark.parametrize("language, name", FILES)
def test_out_37_every_text_of_the_code_is_translated_and_no_other(language, name):
    """Red: run `python3 dev.py words`, then translate what is empty in the .po files."""
    wanted = texts_of_the_code(name)
    have = {key(message) for message in messages(language, name)}
    assert wanted - have == set(), "new texts"
    assert have - wanted == set(), "texts that are gone"
    assert [message.id for message in messages(language, name) if not is_translated(message)] == []


@pytest.mark.parametrize("language, name", FILES)
def test_out_37_translations_have_the_values_of_their_text(language, name):
    for message in filter(is_translated, messages(language, name)):
        wanted = placeholders(forms(message.id)[-1])
        for form in forms(message.string):
            spelled_out = {"count!:"} if not isinstance(message.id, str) else set()
            assert placeholders(form) | spelled_out == wanted | spelled_out, message.id


@pytest.mark.parametrize("language, name", FILES)
def test_the_files_say_nothing_of_when_where_and_by_whom(language, name):
    text = po_file(language, name).read_text()
    header = text.split("\n\n")[0]
    assert re.findall(r'(?m)^"([\w-]+):', header) == [
        "Language", "MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Plural-Forms",
    ]  # fmt: skip
    notes = set(re.findall(r"(?m)^#.*", text))
    assert notes <= {"#, python-brace-format", "#, python-format", "#, python-brace-format, python-format"}


@pytest.mark.parametrize("language, name", FILES)
def test_the_files_are_as_the_command_writes_them(language, name, tmp_path, monkeypatch):
    """Else the next one who runs it would have a difference that is none."""
    before, book = po_file(language, name).read_bytes(), read(language, name)
    there = sorted(extraction.Text(*key(message)) for message in book if message.id)
    monkeypatch.setattr(extraction, "texts", lambda name: there)
    monkeypatch.setattr(extraction, "read", lru_cache(lambda language, name: book))
    monkeypatch.setattr(catalogues, "FOLDER", tmp_path)
    update(language, name)
    assert po_file(language, name).read_bytes() == before


@pytest.mark.parametrize("name", NAMES)
def test_french_has_its_blanks(name):
    """A no-break space before : ; ! ? and », and after «; but none in “type:”, which marks examples everywhere."""
    for message in messages("fr", name):
        for form in forms(message.string) if message.context != COMMAND else ():
            text = f"{form.replace('type:', '')} "
            assert not re.search(r"(?<!\u00a0)[:;!?»]\s", text), form
            assert not re.search(r"«(?!\u00a0)", text), form


# How they are read


def test_english_and_languages_there_are_not_are_plain_text():
    for language in (ENGLISH, "xx", ""):
        assert words(language) is str
        assert (
            words(language, "tammany-hall")(say("Ward {ward} is locked already.", ward=6))
            == "Ward 6 is locked already."
        )


@pytest.mark.slow
@pytest.mark.parametrize("language", FOREIGN)
def test_a_speaker_looks_in_the_ruleset_s_catalogue_then_in_the_shared_one(language):
    of_the_ruleset, shared = say("Ward {ward} is locked already.", ward=6), say("The game begins.")
    speak = words(language, "tammany-hall")
    assert speak(of_the_ruleset) != str(of_the_ruleset)
    assert "6" in speak(of_the_ruleset)
    assert speak(shared) == words(language)(shared) != str(shared)
    assert words(language)(of_the_ruleset) == words(language, "no-such-game")(of_the_ruleset) == str(of_the_ruleset)
    assert speak("The game begins.") == "The game begins.", "a plain text, a name say, is left alone"


def test_a_ruleset_s_word_comes_before_the_shared_one(emptied):
    for name, word in ((SHARED, "partagé"), ("tammany-hall", "propre")):
        code(emptied, f"fr/{name}.po", A_PO + f'msgid "none"\nmsgstr "{word}"\n')
    assert (words("fr", "tammany-hall")(say("none")), words("fr")(say("none"))) == ("propre", "partagé")


@pytest.mark.parametrize(
    "bad", ["{nobody} begins.", "{player begins.", "{player.name} begins.", "{} begins.", "{player!z}", ""]
)
def test_a_translation_that_does_not_fit_is_english(emptied, bad):
    """At run time a slip costs a sentence its translation, and nothing else."""
    code(
        emptied,
        "fr/wardroom.po",
        A_PO + f'msgid "{{player}} begins."\nmsgstr "{bad}"\n\nmsgid "none"\nmsgstr "aucun"\n',
    )
    assert words("fr")(say("{player} begins.", player="Ann")) == "Ann begins."
    assert words("fr")(say("none")) == "aucun"


def test_a_plural_that_does_not_fit_is_english(emptied):
    entry = 'msgid "{count} boss"\nmsgid_plural "{count} bosses"\nmsgstr[0] "un patron"\nmsgstr[1] "%s patrons"\n'
    code(emptied, "fr/wardroom.po", A_PO + entry % "{many}")
    assert words("fr")(say_n("{count} boss", "{count} bosses", 1)) == "1 boss"
    code(emptied, "de/wardroom.po", A_PO + entry % "{count}")
    assert [words("de")(say_n("{count} boss", "{count} bosses", n)) for n in (1, 3)] == ["un patron", "3 patrons"]


def test_a_plural_translated_by_half_is_english(emptied):
    entry = 'msgid "{count} boss"\nmsgid_plural "{count} bosses"\nmsgstr[0] "{count} patron"\nmsgstr[1] ""\n'
    code(emptied, "fr/wardroom.po", A_PO + entry)
    assert [words("fr")(say_n("{count} boss", "{count} bosses", n)) for n in (1, 3)] == ["1 boss", "3 bosses"]
    assert not is_translated(read("fr", SHARED).get(("{count} boss", "{count} bosses")))


@pytest.mark.slow
@pytest.mark.parametrize("language", FOREIGN)
def test_nothing_said_is_nothing_in_any_language(language):
    """gettext would answer with the head of the file."""
    assert words(language)(say("")) == words(language)("") == ""


def test_a_fuzzy_translation_is_none(emptied):
    code(emptied, "fr/wardroom.po", A_PO + '#, fuzzy\nmsgid "none"\nmsgstr "tous"\n')
    assert words("fr")(say("none")) == "none"


def test_the_first_word_of_a_command_is_the_one_that_is_said(emptied):
    code(emptied, "fr/wardroom.po", A_PO + 'msgctxt "command"\nmsgid "bid"\nmsgstr "enchérir, miser"\n')
    assert words("fr")(say("Write {word}.", word=typed("bid"))) == "Write enchérir."


def test_the_api_sends_a_sentence_as_english_text():
    assert encoded({"detail": say("Ward {ward} is locked.", ward=6)}) == b'{"detail":"Ward 6 is locked."}'
    with pytest.raises(TypeError):
        encoded({"detail": object()})


# How they are brought up to date


def test_texts_are_found_wherever_they_are_said(emptied):
    code(
        emptied,
        "domain/tammany_hall/x.py",
        'say("a " "b", x=say("in it"))\nsay_n("one", "many", 3)\nsay_in("where", "what")\n'
        'say_n_in("there", "one", "some", 3)\n'
        'require(ok, "code", "TH-1", "no", why=lambda: say("because"))\nself.refuse("code", "TH-1", "not read")\n'
        'require(ok, "code", "TH-1", finished)\nother.say(room, x)\nlambda text: say(text)\n',
    )
    code(emptied, "service/x.py", 'say("shared")')
    code(emptied, "service/api/x.py", 'say("for programs")')
    code(
        emptied,
        "workers/templates/x.txt",
        '{{ _("of a letter", x=1) }}{{ pgettext("of", "it") }}{{ ngettext("1", "2", 2) }}',
    )
    own = {(text.context, text.id) for text in texts("tammany-hall") if text.context != COMMAND}
    assert own == {
        ("", "a b"), ("", "in it"), ("", ("one", "many")), ("where", "what"),
        ("there", ("one", "some")),
        ("", "no"), ("", "because"), ("", "not read"),
    }  # fmt: skip
    shared = {(text.context, text.id) for text in texts(SHARED) if text.context != COMMAND}
    assert shared == {("", "shared"), ("", "of a letter"), ("of", "it"), ("", ("1", "2"))}


@pytest.mark.parametrize(
    "line",
    ['say(f"{x}")', "say(x)", 'say_n("one", many, 2)', 'say_in(where, "what")', 'say_n_in("where", "one", many, 2)',
     'say("a" if x else "b")', "say()",
     'require(x, "c", "r", f"{x}")', 'require(x, "c", "r", "a" if x else "b")', 'self.refuse("c", "r", "a" + x)'],
)  # fmt: skip
def test_a_text_that_nobody_could_translate_is_named(emptied, line):
    code(emptied, "service/x.py", f"\n{line}\n")
    with pytest.raises(NoTemplate, match=r"service/x\.py:2: "):
        texts(SHARED)


def test_new_texts_come_in_gone_ones_go_and_translations_stay(emptied):
    code(emptied, "service/x.py", 'say("kept")\nsay("gone")\nsay_n("one", "many", 2)')
    everything = len(texts(SHARED))
    assert update("fr", SHARED) == everything
    path = po_file("fr", SHARED)
    path.write_text(path.read_text().replace('msgid "kept"\nmsgstr ""', 'msgid "kept"\nmsgstr "gardé"'))
    read.cache_clear()
    code(emptied, "service/x.py", 'say("kept")\nsay("new")\nsay_n("one", "several", 2)')
    assert update("fr", SHARED) == everything - 1
    said_so = {message.id: message.string for message in read("fr", SHARED) if message.id and not message.context}
    assert said_so == {"kept": "gardé", "new": "", ("one", "several"): ("", "")}
    once = path.read_bytes()
    update("fr", SHARED)
    assert path.read_bytes() == once
    assert "gone" not in path.read_text()


def test_words_of_the_notation_are_in_and_coordinates_are_not(emptied):
    own = {text.one for text in texts("city-hall")}
    assert {"bid", "tower", "deputy"} <= own
    assert not own & {"q1", "b9", "plus3"}
    assert {text.one for text in texts(SHARED)} == set(commands.UNIVERSAL)


def test_a_catalogue_there_is_not_is_named(emptied):
    with pytest.raises(SystemExit, match="no catalogue 'chess'; there are wardroom, "):
        extraction.main(["chess"])


def test_say_in_and_typed_are_told_apart():
    assert (say_in("x", "bid").context, typed("bid").context) == ("x", COMMAND)
