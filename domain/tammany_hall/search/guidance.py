"""The guidance of Tammany Hall, as one value."""

from typing import Final

from domain.engine.game import Action
from domain.engine.guidance import Guidance
from domain.tammany_hall.rules.state import State
from domain.tammany_hall.search.features import NAMES, features, stage
from domain.tammany_hall.search.hidden import sample_hidden
from domain.tammany_hall.search.policy import candidates, quick_move
from domain.tammany_hall.search.reasons import reason
from domain.tammany_hall.search.tempers import leans
from domain.tammany_hall.search.weights import WEIGHTS

GUIDANCE: Final[Guidance[State, Action]] = Guidance(
    sample_hidden=sample_hidden,
    candidates=candidates,
    quick_move=quick_move,
    features=features,
    names=NAMES,
    weights=WEIGHTS,
    stage=stage,
    horizon=lambda state: state.year,
    sealed=lambda state: state.phase == "bid",
    leans=leans,
    reason=reason,
    choices_public=True,
    slips={1: 1.6},
)
