"""Learning a game: `/learn`, a lesson step by step. Nothing is kept: the address holds the moves."""

import re
from collections.abc import Callable

from flask import Blueprint, Response, abort, make_response, redirect, render_template, request

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from domain.rulesets import RULESETS
from service.lessons import course
from service.lessons.examples import Stand, made, stand
from service.lessons.material import examples_of, lesson_of
from service.lessons.token import BadToken, item_of, items_of
from service.web.game.draft import LONGEST, NOTHING, Refusal, Sent, orders_of, refusal_of
from service.web.game.editing import COMPOSED, PLAYS, edited, filled
from service.web.http.language import say as speak
from service.web.learn.example import Placed, example_page, proposed
from service.web.learn.example import view_of as example_view
from service.web.learn.lesson import MOVES, address_of, lesson_page, suggested, view_of
from service.web.learn.view import PracticeView

bp = Blueprint("learn", __name__)


@bp.get("/learn")
def index() -> str:
    """How to play: the first screen part by part, the lessons, the examples."""
    lessons = {kind: lesson for kind in RULESETS if (lesson := lesson_of(kind)) is not None}
    return render_template(
        "learn/index.html", lessons=lessons, rulesets=RULESETS, examples={kind: examples_of(kind) for kind in lessons}
    )


@bp.get("/learn/<string:kind>")
def begin(kind: str) -> Response:
    """The first step of a lesson."""
    return _shown(kind, "")


@bp.get("/learn/<string:kind>/at/<string:token>")
def at(kind: str, token: str) -> Response:
    """The step to which these moves lead."""
    return _shown(kind, token)


@bp.post("/learn/<string:kind>/draft")
def rehearse(kind: str) -> Response:
    """Show the draft as a button has changed it, with its consequences, or play it."""
    if PLAYS & set(request.form):
        return play(kind)
    where = _place(kind, request.form.get(MOVES, ""))
    if isinstance(where, Response):
        return where
    sent = sent_draft()
    changed = sent if where.is_held or where.is_over else edited(view_of(kind, where), sent, request.form)
    return make_response(lesson_page(kind, where, changed))


@bp.post("/learn/<string:kind>/moves")
def play(kind: str) -> Response:
    """Play the draft: leads to the address of the place after it, or says what the rules forbid."""
    where = _place(kind, request.form.get(MOVES, ""))
    if isinstance(where, Response):
        return where
    return _played(
        kind, view_of(kind, where), lambda item: address_of(kind, course.played(where, item).items),
        lambda sent, refusal: lesson_page(kind, where, sent, refusal),
    )  # fmt: skip


@bp.get("/learn/<string:kind>/example/<string:example>")
@bp.get("/learn/<string:kind>/example/<string:example>/<int:number>")
@bp.get("/learn/<string:kind>/example/<string:example>/<int:number>/at/<string:token>")
def example(kind: str, example: str, number: int = 1, token: str = "") -> Response:
    """A worked example of the rules as a position, perhaps with one of its lines in the draft."""
    placed, here = _stand(kind, example, number, token)
    if isinstance(here, Response):
        return here
    wanted = request.args.get("try", "")
    view = example_view(placed, here)
    sent = proposed(placed, view, int(wanted)) if re.fullmatch("[0-9]{1,3}", wanted, re.ASCII) else NOTHING
    return make_response(example_page(placed, here, sent))


@bp.post("/learn/<string:kind>/example/<string:example>/<int:number>/draft")
def rehearse_example(kind: str, example: str, number: int) -> Response:
    """Show the draft as a button has changed it, with its consequences, or play it."""
    if PLAYS & set(request.form):
        return play_example(kind, example, number)
    placed, here = _stand(kind, example, number, request.form.get(MOVES, ""))
    if isinstance(here, Response):
        return here
    sent, view = sent_draft(), example_view(placed, here)
    return make_response(example_page(placed, here, edited(view, sent, request.form) if view.may_order else sent))


@bp.post("/learn/<string:kind>/example/<string:example>/<int:number>/moves")
def play_example(kind: str, example: str, number: int) -> Response:
    """Play the draft for whoever is asked, or say what the rules forbid."""
    placed, here = _stand(kind, example, number, request.form.get(MOVES, ""))
    if isinstance(here, Response):
        return here
    view = example_view(placed, here)
    return _played(
        kind, view, lambda item: placed.at(made(here, item).items),
        lambda sent, refusal: example_page(placed, here, sent, refusal),
    )  # fmt: skip


def _stand(kind: str, example: str, number: int, token: str) -> tuple[Placed, Stand | Response]:
    """Where moves lead in a position of an example, or the page that says why there is no such place."""
    if kind not in RULESETS or example not in examples_of(kind):
        abort(404)
    placed = Placed(kind, example, number)
    try:
        return placed, stand(kind, example, number, items_of(token))
    except BadToken as bad:
        return placed, wrong(kind, bad.message, f"/learn/{kind}/example/{example}")
    except LookupError:
        abort(404)


def _played(
    kind: str, view: PracticeView, address: Callable[[str], str], page: Callable[[Sent, Refusal], str]
) -> Response:
    """What comes of playing a draft: the way to the place after it, or the page with what the rules forbid."""
    sent = sent_draft()
    try:
        whole = edited(view, sent, request.form) if COMPOSED & set(request.form) and view.may_order else sent
        lines = [line for line in orders_of(view, whole).splitlines() if line.strip()]
        found = address(item_of(view.practice, lines))
        items_of(found.rpartition("/at/")[2])
    except (RuleViolation, OrderNotUnderstood) as error:
        return make_response(page(sent, refusal_of(view, error)), 422)
    except BadToken as bad:
        return wrong(kind, bad.message)
    return make_response(redirect(found, 303))


def sent_draft() -> Sent:
    """The draft that a form holds; one that is too long is cut, and refused as any other line."""
    text = request.form.get("text", "").replace("\r\n", "\n")
    return Sent(text[:LONGEST], filled=filled(request.form))


def wrong(kind: str, message: str, begin: str = "") -> Response:
    """The page for moves that cannot be: what is wrong, and where to begin anew."""
    shown = {"begin": begin or f"/learn/{kind}", "title": RULESETS[kind].presentation.title, "why": speak(message)}
    return make_response(render_template("learn/wrong.html", **shown), 400)


def _shown(kind: str, token: str) -> Response:
    where = _place(kind, token)
    if isinstance(where, Response):
        return where
    sent = suggested(kind, where) if request.args.get("show") == "move" else NOTHING
    return make_response(lesson_page(kind, where, sent))


def _place(kind: str, token: str) -> course.Place | Response:
    """The place to which moves lead, or the page that says why there is none."""
    if kind not in RULESETS or lesson_of(kind) is None:
        abort(404)
    try:
        return course.place(kind, items_of(token))
    except BadToken as bad:
        return wrong(kind, bad.message)
