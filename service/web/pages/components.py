"""Everything that pages are made of, on one page: only where the development mailbox is."""

from typing import Final

from flask import render_template

from domain.engine.bots import Bot
from domain.rulesets import RULESETS
from service.games.overviews import Sitter
from service.web.http.forms import Pages
from service.web.pages.mailbox import require_development
from service.web.sample import sample_board

bp = Pages("components", __name__)
COLOURS: Final = (
    "paper", "sheet", "row", "asked", "ink", "soft", "rule", "edge", "accent", "link", "gold", "good", "bad", "focus",
)  # fmt: skip
SITTERS: Final = (
    Sitter("red", "Annie", "taken", asked=True),
    Sitter("yellow", "Boris", "vacant"),
    Sitter("black", "Cyd", "taken"),
    Sitter("purple", "Dieter", "taken"),
    Sitter("brown", "", "bot", bot=Bot(2, "patient")),
    Sitter("blue", "Eve", "taken"),
    Sitter("green", "", "empty"),
)
"""A seat of each pawn and each status."""


@bp.get("/components")
def page() -> str:
    """All components, to be looked at."""
    require_development()
    boards = {kind: sample_board(kind, str) for kind in RULESETS}
    shown = {kind: board for kind, board in boards.items() if board}
    return render_template("components.html", sitters=SITTERS, colours=COLOURS, boards=shown)
