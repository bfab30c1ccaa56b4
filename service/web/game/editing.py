"""Effects of the buttons of a draft: pick words, add a line, compose amounts, drop a line, begin again."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from service.games.choices import compose, walk
from service.games.reader_view import ReaderView
from service.web.game.draft import NOTHING, Sent, rehearse, written
from service.web.game.questions import options_at, step_of

AMOUNT: Final = "amount-"
PLACE: Final = "place-"
FIRST: Final = "first"
PLAYS: Final = frozenset({"play", "seal"})
"""The buttons that play the draft, or seal the amounts that are filled in."""
COMPOSED: Final = frozenset({"compose", "seal"})
"""The buttons that make a line of the amounts that are filled in."""


def edited(view: ReaderView, sent: Sent, form: Mapping[str, str]) -> Sent:
    """The draft as a button leaves it; as it was sent, where none of these was pressed or it fits no more."""
    if "clear" in form:
        return replace(NOTHING, version=sent.version, key=sent.key)
    if form.get("drop", "").isdecimal():
        return sent.without_line(int(form["drop"][:9]))
    if words := form.get("compose", form.get("seal")):
        return _composed(view, sent, form, words)
    if "at" in form:
        return _at(view, sent, form["at"][:40])
    if "pick" in form:
        return _picked(view, sent, form["pick"])
    return sent


def filled(form: Mapping[str, str]) -> dict[str, str]:
    """The amounts of a form by their words, as they were filled in."""
    return {name.removeprefix(AMOUNT): value[:9] for name, value in form.items() if name.startswith(AMOUNT)}


def _picked(view: ReaderView, sent: Sent, words: str) -> Sent:
    """An option was picked: the line is complete, or its next word is asked for. "=" before it: it is to stand as it
    is, though it could go on."""
    rehearsed = rehearse(view, sent)
    stands, words = words.startswith("="), words.removeprefix("=")
    option = None if rehearsed.step is None else walk(rehearsed.step, words)
    if option is None:
        return replace(sent, words="", place="")
    if option.line and (stands or option.step is None):
        return _with_line(view, sent, option.line)
    return replace(sent, words=words, place="")


def _at(view: ReaderView, sent: Sent, place: str) -> Sent:
    """A place of the picture was clicked: what can be done there is asked, or picked where it is one thing."""
    found = options_at(rehearse(view, sent).step, place)
    return _picked(view, sent, found[0].words) if len(found) == 1 else replace(sent, words="", place=place)


def _composed(view: ReaderView, sent: Sent, form: Mapping[str, str], words: str) -> Sent:
    """Amounts were filled in, or things put in an order, after these words."""
    step = step_of(rehearse(view, sent).step, words)
    if step is None:
        return replace(sent, words="")
    if step.kind == "order":
        chosen = sorted(range(len(step.order)), key=lambda number: form.get(f"{PLACE}{number}", "").rjust(3))
        return _with_line(view, sent, compose(step, [step.order[number].word for number in chosen]))
    known = filled(form)
    amounts = {amount.word: _number(known.get(amount.word, "")) for amount in step.amounts}
    first = form.get(FIRST, "")
    in_order = sorted(amounts, key=lambda word: word != first) if first in amounts else list(amounts)
    return _with_line(view, sent, compose(step, {word: amounts[word] for word in in_order}))


def _with_line(view: ReaderView, sent: Sent, line: str) -> Sent:
    """The draft with a line more, after the lines that can be carried out."""
    refused = rehearse(view, sent).refusal
    place = None if refused is None else refused.number - 1
    return sent.with_line(written(view, line), place)


def _number(text: str) -> int:
    """Return an amount as it was filled in. Anything else becomes far too many, so that the rules say what is wrong."""
    text = text.strip()
    return 0 if not text else int(text) if re.fullmatch("[0-9]{1,9}", text) else 10**9
