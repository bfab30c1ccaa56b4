"""The page of a lesson, put together from the parts of a game's page and from what the lesson says."""

from dataclasses import dataclass
from typing import Final

from flask import render_template

from domain.engine.sentences import say
from service.kernel.ids import new_form_key
from service.languages import shown
from service.lessons.course import SEAT, Place, suggestion
from service.lessons.token import ON, token_of
from service.web.game.board import board_of
from service.web.game.draft import LONGEST, NOTHING, Refusal, Sent, tray_of
from service.web.game.page import Answer
from service.web.game.recent import recent_of
from service.web.http.language import language
from service.web.http.session import services
from service.web.learn.view import PracticeView, practice_view
from service.web.opening.form import against_bots

MOVES: Final = "moves"
"""The field of a form with the moves so far."""
ANYTHING: Final = say("Your own choice")


@dataclass(frozen=True, slots=True)
class Panel:
    """What the lesson says now, in the reader's language; "" for what it does not say."""

    number: int
    total: int
    heading: str
    text: str
    hint: str
    told: list[str]
    """What came of the last move: of each step that it reached, or of the one it missed."""
    outcome: str
    own: list[str]
    """What the learner's own last move did, in the game's sentences."""
    again: str
    """The address at which the decision begins anew; "" where nothing was played in it."""
    onward: str
    """The address at which the lesson goes on as it is; "" where that is up to the learner's move."""
    show: str
    """The address at which a move is shown that reaches the goal."""
    at: str
    """The address of this place."""


def address_of(kind: str, items: tuple[str, ...]) -> str:
    """The address of a place in a lesson."""
    return f"/learn/{kind}/at/{token_of(items)}" if items else f"/learn/{kind}"


def view_of(kind: str, where: Place) -> PracticeView:
    """The table of a place as the learner sees it."""
    return practice_view(
        services(), where.practice, SEAT, language(),
        address=f"/learn/{kind}", fields=[(MOVES, token_of(where.items))], before=where.before,
        draft_place=f"learn/{kind}",
    )  # fmt: skip


def lesson_page(kind: str, where: Place, sent: Sent = NOTHING, refusal: Refusal | None = None) -> str:
    """The page as HTML."""
    view = view_of(kind, where)
    tray = None if where.is_held or where.is_over else tray_of(view, sent, refusal)
    return render_template(
        "learn/lesson.html",
        view=view,
        panel=_panel(kind, where, view),
        where=where,
        answer=Answer(sent=sent, refusal=refusal),
        moved_on=[],
        recent=recent_of(view),
        board=board_of(view, tray),
        tray=tray,
        longest=LONGEST,
        table=against_bots(view.head.rules) if where.is_over else None,
        new_key=new_form_key(view.services.entropy),
    )


def suggested(kind: str, where: Place) -> Sent:
    """A draft that reaches the goal of the step; an empty one where none is known."""
    view = view_of(kind, where)
    lines = [shown(line, view.language, kind) for line in suggestion(where)]
    return Sent(text="\n".join(lines), version=where.practice.version)


def _panel(kind: str, where: Place, view: PracticeView) -> Panel:
    lesson, step, items = where.lesson, where.step, where.items
    asks = step is not None and not where.is_held
    heading, text = (lesson.title, lesson.end) if where.is_over else (ANYTHING, "")
    if step is not None:
        heading, text = step.title, step.text
    return Panel(
        number=min(where.number + 1, len(lesson.step)),
        total=len(lesson.step),
        heading=_said(view, heading),
        text=_said(view, text),
        hint=_said(view, step.hint) if step is not None and asks else "",
        told=[_said(view, last.missed if where.is_held else last.good) for last in where.last],
        outcome=where.outcome,
        own=_own(where, view),
        again=address_of(kind, where.retry) if where.may_retry else "",
        onward=address_of(kind, (*items, ON)) if step is not None else "",
        show=f"{address_of(kind, items)}?show=move" if asks else "",
        at=address_of(kind, items),
    )


def _said(view: PracticeView, text: str) -> str:
    """A text of a lesson, which its game's catalogue translates."""
    return view.words(say(text)) if text else ""


def _own(where: Place, view: PracticeView) -> list[str]:
    after = 0 if where.before is None else where.before.version
    if not where.items or where.items[-1] == ON:
        return []
    mine = [entry.version for entry in where.practice.past if entry.version > after and entry.actor == view.actor]
    passing = view.head.rules.presentation.narrative.passing
    lines = view.lines()
    told = [view.tell(lines[version - 1]) for version in mine]
    return [line.text for line in told if line.text and type(line.line.event) not in passing]
