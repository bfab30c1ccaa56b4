"""The rules of the games: numbered, each rule with an address of its own, to which every refusal leads."""

from flask import abort, render_template

from domain.rulesets import RULESETS
from service.lessons.material import examples_of, lesson_of
from service.web.http.forms import Pages
from service.web.http.language import say
from service.web.rules_text import chapters, with_examples
from service.web.sample import sample_board

bp = Pages("rules", __name__)


@bp.get("/rules")
def games() -> str:
    """The games whose rules can be read here."""
    return render_template("rules/games.html", rulesets=[rules for rules in RULESETS.values() if chapters(rules.kind)])


@bp.get("/rules/<string:kind>")
def page(kind: str) -> str:
    """The rules of one game."""
    if kind not in RULESETS or not chapters(kind):
        abort(404)
    return render_template(
        "rules/game.html",
        rules=RULESETS[kind],
        chapters=with_examples(kind, examples_of(kind)),
        lesson=lesson_of(kind),
        board=sample_board(kind, lambda text: say(text, kind)),
    )
