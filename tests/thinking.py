"""Bots think when a test says so, in its own process: `think_all`."""

from random import Random

from domain.engine.game import Action
from domain.rulesets import ruleset
from service.container import Services
from service.games.questions import Question, unpack_state
from workers.bots.mind import Mind
from workers.bots.thinker import Thinker


def any_move(question: Question) -> list[Action]:
    """A legal action by chance, the same for the same seed: quick, and nothing is known of playing well."""
    rules, state = ruleset(question.kind), unpack_state(question.kind, question.state)
    return [rules.decider.sample(state, question.seat, Random(question.seed))]


def think_all(services: Services, mind: Mind = any_move, seconds: float = 60.0) -> int:
    """Let bots think and play until only people are asked. How many thoughts were done with."""
    thinker = Thinker(services, mind)
    try:
        return thinker.work(seconds=seconds)
    finally:
        thinker.close()
