"""The guidance of City Hall, in one value."""

from typing import Final

from domain.city_hall.rules.state import State
from domain.city_hall.search.features import NAMES, features, stage
from domain.city_hall.search.hidden import sample_hidden
from domain.city_hall.search.policy import candidates, quick_move
from domain.city_hall.search.reasons import reason
from domain.city_hall.search.tempers import leans
from domain.city_hall.search.weights import WEIGHTS
from domain.engine.game import Action
from domain.engine.guidance import Guidance

GUIDANCE: Final[Guidance[State, Action]] = Guidance(
    sample_hidden=sample_hidden,
    candidates=candidates,
    quick_move=quick_move,
    features=features,
    names=NAMES,
    weights=WEIGHTS,
    stage=stage,
    horizon=lambda state: state.round,
    sealed=lambda state: False,
    leans=leans,
    reason=reason,
    depth=1,
    slips={1: 0.5, 2: 0.3},
)
