"""The page of a worked example: its text, its position with the choices live, and the lines it speaks of."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import render_template

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.engine.sentences import say
from service.kernel.ids import new_form_key
from service.languages import shown
from service.lessons.examples import Stand, scenes_of, tried
from service.lessons.material import Try, examples_of
from service.lessons.token import token_of
from service.web.game.board import board_of
from service.web.game.draft import LONGEST, NOTHING, Refusal, Sent, tray_of
from service.web.game.page import Answer
from service.web.game.recent import recent_of
from service.web.http.language import language
from service.web.http.session import services
from service.web.learn.lesson import MOVES
from service.web.learn.view import PracticeView, practice_view
from service.web.rules_text import passage


@dataclass(frozen=True, slots=True)
class Trial:
    """A line that the example speaks of: who would play it, after what, and what the rules say to it."""

    name: str
    line: str
    after: str
    is_refused: bool
    answer: str
    rule: str
    address: str
    """Where it can be tried; "" where somebody else is asked."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Which position of which example is shown."""

    kind: str
    example: str
    number: int

    @property
    def address(self) -> str:
        """Where the position stands before anything is tried."""
        return f"/learn/{self.kind}/example/{self.example}" + (f"/{self.number}" if self.number > 1 else "")

    @property
    def forms(self) -> str:
        """Where its forms go."""
        return f"/learn/{self.kind}/example/{self.example}/{self.number}"

    def at(self, items: Sequence[str]) -> str:
        """Where it stands after these moves."""
        return f"{self.forms}/at/{token_of(items)}" if items else self.address


def view_of(placed: Placed, here: Stand) -> PracticeView:
    """The table as whoever is asked sees it."""
    return practice_view(
        services(), here.practice, here.seat, language(),
        address=placed.forms, fields=[(MOVES, token_of(here.items))], before=here.before,
        draft_place=f"learn/{placed.kind}/{placed.example}/{placed.number}",
    )  # fmt: skip


def example_page(placed: Placed, here: Stand, sent: Sent = NOTHING, refusal: Refusal | None = None) -> str:
    """The page as HTML."""
    view = view_of(placed, here)
    tray = tray_of(view, sent, refusal)
    example, order = examples_of(placed.kind)[placed.example], list(examples_of(placed.kind))
    place = order.index(placed.example)
    return render_template(
        "learn/example.html",
        view=view,
        placed=placed,
        here=here,
        look=view.words(_look(example.look)),
        title=passage(placed.kind, placed.example).title,
        passage=passage(placed.kind, placed.example).text,
        scenes=[Placed(placed.kind, placed.example, number + 1) for number in range(len(example.scene))],
        trials=[_trial(placed, view, line) for line in scenes_of(placed.kind, placed.example)[placed.number - 1].tries],
        previous=order[place - 1] if place else "",
        following=order[place + 1] if place + 1 < len(order) else "",
        asks=view.head.rules.presentation.asks(view.document) if view.document and here.seat is not None else "",
        answer=Answer(sent=sent, refusal=refusal),
        moved_on=[],
        recent=recent_of(view),
        board=board_of(view, tray),
        tray=tray,
        longest=LONGEST,
        new_key=new_form_key(view.services.entropy),
    )


def proposed(placed: Placed, view: PracticeView, number: int) -> Sent:
    """A draft with one of the lines that the example speaks of."""
    lines = scenes_of(placed.kind, placed.example)[placed.number - 1].tries
    if not 1 <= number <= len(lines):
        return NOTHING
    return Sent(text=shown(lines[number - 1].line.strip(), view.language, placed.kind))


def _look(text: str) -> str:
    return say(text)


def _trial(placed: Placed, view: PracticeView, line: Try) -> Trial:
    words = view.words_with_names
    number = scenes_of(placed.kind, placed.example)[placed.number - 1].tries.index(line) + 1
    try:
        tried(placed.kind, placed.example, placed.number, line)
        answer, rule, refused = "", "", False
    except (RuleViolation, OrderNotUnderstood) as error:
        answer, rule, refused = words(error.message), error.rule, True
    items = [text.replace(" ", "-") for text in line.after]
    return Trial(
        name=view.names[line.seat] if line.seat is not None else "",
        line=shown(line.line.strip(), view.language, placed.kind),
        after=", ".join(shown(text, view.language, placed.kind) for text in line.after),
        is_refused=refused,
        answer=answer,
        rule=rule,
        address=f"{placed.at(items)}?try={number}#draft" if line.seat is None else "",
    )
