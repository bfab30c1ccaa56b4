"""What the domain says to people: English texts that remember what they were made of.

A Sentence is a `str` like any other, in English. It also holds its template and the values in it, which may be
Sentences again, so whoever shows it to a person can say it in that person's language: `said(text, catalogue)`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

Words = Callable[[object], str]
"""A speaker: says a text in somebody's language. `str` is the English one."""
COMMAND: Final = "command"
"""The context of words of the notation: a translation lists the words that are understood, the one shown first."""


class Catalogue(Protocol):
    """Translations, by their English templates; `gettext.NullTranslations` is one that knows none."""

    def gettext(self, message: str) -> str: ...

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str: ...

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str: ...

    def pgettext(self, context: str, message: str) -> str: ...


class Sentence(str):
    """A text made by one of the functions below."""

    __slots__ = ("context", "many", "number", "template", "values")
    template: str
    many: str  # the template for more than one, "" where number does not matter
    number: int
    context: str
    values: dict[str, Any]


class Row(Sentence):
    """Texts one after the other; `template` stands between them, `values` holds them by place."""

    __slots__ = ()


class Capital(Sentence):
    """A text that begins with a capital letter in every language; `values` holds it."""

    __slots__ = ()


def say(template: str, /, **values: Any) -> Sentence:
    """A sentence with `{named}` values."""
    return _sentence(Sentence, template.format(**values), template, values)


def say_n(one: str, many: str, count: int, /, **values: Any) -> Sentence:
    """A sentence whose form depends on a number, which is `{count}` in it."""
    values = {"count": count, **values}
    return _sentence(Sentence, (one if count == 1 else many).format(**values), one, values, many=many, number=count)


def say_in(context: str, template: str, /, **values: Any) -> Sentence:
    """A sentence that reads alike in English but not elsewhere, told apart by its context."""
    return _sentence(Sentence, template.format(**values), template, values, context=context)


def say_n_in(context: str, one: str, many: str, count: int, /, **values: Any) -> Sentence:
    """A sentence whose form depends on a number, told apart by its context from one that reads alike in English."""
    values = {"count": count, **values}
    text = (one if count == 1 else many).format(**values)
    return _sentence(Sentence, text, one, values, many=many, number=count, context=context)


def typed(word: str) -> Sentence:
    """A word of the notation, as the reader would type it."""
    return _sentence(Sentence, word, word, {}, context=COMMAND)


def capital(text: str) -> Sentence:
    """A text that begins with a capital letter: a word of the notation at the beginning of a sentence, or as a name."""
    return _sentence(Capital, text[:1].upper() + text[1:], "{text}", {"text": text})


def row(texts: Sequence[object], between: str = "") -> Sentence:
    """Texts one after the other, with `between` between them, itself translated if it is a Sentence."""
    values = {str(place): text for place, text in enumerate(texts)}
    return _sentence(Row, between.join(map(str, texts)), between, values)


def one_of(words: Sequence[object]) -> Sentence:
    """Words as a list for people, "1, 2 and 14"; "none" for nothing."""
    if not words:
        return say("none")
    if len(words) == 1:
        return row(words)
    return say("{some} and {last}", some=row(words[:-1], ", "), last=words[-1])


def said(text: object, catalogue: Catalogue) -> str:
    """A text in the language of a catalogue; what it does not know stays English."""
    if not text or not isinstance(text, Sentence):
        return str(text)
    values = {name: said(value, catalogue) if isinstance(value, str) else value for name, value in text.values.items()}
    if isinstance(text, Capital):
        return capital(values["text"])
    if isinstance(text, Row):
        return said(text.template, catalogue).join(map(str, values.values()))
    if text.many and text.context:
        template = catalogue.npgettext(text.context, text.template, text.many, text.number)
    elif text.many:
        template = catalogue.ngettext(text.template, text.many, text.number)
    elif text.context:
        template = catalogue.pgettext(text.context, text.template)
    else:
        template = catalogue.gettext(text.template)
    return template.format(**values)


def pack(text: object) -> Any:
    """A text as plain JSON, from which `unpack` makes it again: to be said to somebody later, in any language."""
    if not isinstance(text, Sentence):
        return text
    if isinstance(text, Row):
        return {"between": pack(text.template), "row": [pack(value) for value in text.values.values()]}
    if isinstance(text, Capital):
        return {"capital": pack(text.values["text"])}
    packed: dict[str, Any] = {"say": text.template}
    if text.values:
        packed["with"] = {name: pack(value) for name, value in text.values.items()}
    if text.many:
        packed |= {"many": text.many, "number": text.number}
    return packed | {"in": text.context} if text.context else packed


def unpack(packed: Any) -> Any:
    """The text that was packed."""
    match packed:
        case {"row": texts, "between": between}:
            return row([unpack(text) for text in texts], unpack(between))
        case {"capital": text}:
            return capital(unpack(text))
        case {"say": template}:
            values = {name: unpack(value) for name, value in packed.get("with", {}).items()}
            many, number = packed.get("many", ""), packed.get("number", 0)
            text = (template if not many or number == 1 else many).format(**values)
            return _sentence(Sentence, text, template, values, many=many, number=number, context=packed.get("in", ""))
    return packed


def _sentence(
    kind: type[Sentence],
    text: str,
    template: str,
    values: dict[str, Any],
    *,
    many: str = "",
    number: int = 0,
    context: str = "",
) -> Sentence:
    made = kind(text)
    made.template, made.values, made.many, made.number, made.context = template, values, many, number, context
    return made
