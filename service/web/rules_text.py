"""The numbered rules of a game as pages show them: chapters of HTML in which every rule has its number as its address.

The rules lie beside the game, in Markdown: one text for people, refusals and tests.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from service.kernel.late import late

if TYPE_CHECKING:
    import markdown_it.token
    from markdown_it.token import Token
else:
    markdown_it = late("markdown_it")

NUMBER: Final = re.compile(r"(?:TH|CH)-(?:E\d+|\d+(?:\.\d+)?)")
NUMBERED: Final = re.compile('(?=<p id=")')
"""Where a numbered passage begins."""
TITLE: Final = re.compile("<strong><a[^>]*>[^<]*</a>([^<]*)</strong>")
"""The number and the title that a passage begins with."""
EXAMPLE: Final = re.compile('<p id="((?:TH|CH)-E[0-9]+)"><strong>.*?</strong>')
REASON: Final = "why"
"""The head of the column that says why a ruling is so."""
TRY: Final = "Try it"
"""In English, as the rules are."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter: its number, its title, its text."""

    number: str
    title: str
    text: Markup


@cache
def chapters(kind: str) -> Sequence[Chapter]:
    """The chapters of a game's rules, in their order; none for a game without rules of its own."""
    source = files("domain").joinpath(kind.replace("-", "_"), "rules.md")
    if not source.is_file():
        return ()
    reader = _reader()
    tokens = reader.parse(source.read_text("utf-8"))
    _align(tokens)
    return [_chapter(reader, part) for part in _parts(tokens)]


def with_examples(kind: str, known: Container[str]) -> list[Chapter]:
    """The chapters of a game's rules, in which every example that can be tried leads to where it is."""

    def link(found: re.Match[str]) -> str:
        number = found.group(1)
        way = f' <a class="try-it" href="/learn/{kind}/example/{number}">{TRY}</a>'
        return found.group() + way if number in known else found.group()

    return [
        Chapter(chapter.number, chapter.title, Markup(EXAMPLE.sub(link, chapter.text)))  # noqa: S704 - our own
        for chapter in chapters(kind)
    ]


@dataclass(frozen=True, slots=True)
class Passage:
    """One numbered rule, or example, by itself: its title, "" for none, and its text, whose links lead to the rules."""

    title: str
    text: Markup


@cache
def passage(kind: str, number: str) -> Passage:
    """One rule or example of a game, as the page of its rules has it. Raises LookupError for one there is not."""
    for chapter in chapters(kind):
        for part in NUMBERED.split(chapter.text):
            if part.startswith(f'<p id="{number}"'):
                found = TITLE.search(part)
                title = found.group(1).strip(" .") if found else ""
                body = TITLE.sub("", part, count=1).replace(f'<p id="{number}">', "<p>", 1)
                return Passage(title, Markup(body.replace('href="#', f'href="/rules/{kind}#')))  # noqa: S704 - our own
    raise LookupError(number)


@cache
def numbers(kind: str) -> frozenset[str]:
    """All addresses in the rules of a game: chapters, rules, examples."""
    found = {chapter.number for chapter in chapters(kind)}
    return frozenset(found.union(*(re.findall(r' id="([^"]+)"', chapter.text) for chapter in chapters(kind))))


def _reader() -> markdown_it.MarkdownIt:
    reader = markdown_it.MarkdownIt("commonmark", {"html": False}).enable("table")
    reader.add_render_rule("table_open", _table_open)
    reader.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return reader


def _table_open(_: object, tokens: Sequence[Token], place: int, *__: object) -> str:
    """Open a table that scrolls sideways; one of rulings is wider than a phone."""
    heads = takewhile(lambda token: token.type != "thead_close", tokens[place:])
    kind = ' class="rulings"' if any(token.content == REASON for token in heads) else ""
    return f'<div class="scroll" role="region" tabindex="0"><table{kind}>\n'


def _parts(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The tokens of each chapter, from its heading on; what stands before the first is for those who edit the text."""
    starts = [place for place, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"]
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        yield [token for token in tokens[start:end] if token.type != "hr"]


def _chapter(reader: markdown_it.MarkdownIt, tokens: list[Token]) -> Chapter:
    number, _, title = tokens[1].content.partition(" ")
    for before, token in pairwise(tokens[2:]):
        if token.type == "inline":
            token.children = list(_linked(token.children or [], _numbered(before, token)))
    text = reader.renderer.render(tokens[3:], reader.options, {})
    return Chapter(number, title, Markup(text))  # noqa: S704 - rendered from our own file, without HTML of its own


def _numbered(before: Token, inline: Token) -> str:
    """The number that a text begins with, "" for none; whatever holds the text gets it as its address."""
    children = [child for child in inline.children or [] if child.type != "text" or child.content]
    if len(children) < 2 or children[0].type != "strong_open":
        return ""
    found = NUMBER.match(children[1].content)
    if found is None:
        return ""
    before.attrSet("id", found.group())
    return found.group()


def _linked(children: Sequence[Token], own: str) -> Iterator[Token]:
    """A text in which every number of a rule leads to that rule; its `own` leads to itself, to be copied."""
    for token in children:
        if token.type != "text":
            yield token
            continue
        at = 0
        for found in NUMBER.finditer(token.content):
            yield _text(token.content[at : found.start()])
            yield from _link(found.group(), "rule-number" if found.group() == own else "")
            at = found.end()
        yield _text(token.content[at:])


def _link(number: str, kind: str) -> Iterator[Token]:
    attrs: dict[str, Any] = {"href": f"#{number}", **({"class": kind} if kind else {})}
    yield markdown_it.token.Token("link_open", "a", 1, attrs=attrs)
    yield _text(number)
    yield markdown_it.token.Token("link_close", "a", -1)


def _text(content: str) -> Token:
    return markdown_it.token.Token("text", "", 0, content=content)


def _align(tokens: Sequence[Token]) -> None:
    """Say by a class what would be an inline style, which no page of ours may have."""
    for cell in tokens:
        if cell.type in ("th_open", "td_open") and "right" in str(cell.attrs.pop("style", "")):
            cell.attrSet("class", "number")
