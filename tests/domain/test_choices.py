"""The choices of a seat: every path spells a legal line, every legal line has a path, and no path knows a secret."""

from domain.engine.choices import ask, listed_words, walk
from domain.engine.game import Draw
from tests.domain.table.pennies import PENNIES, PotDrawn


def test_a_ruleset_without_questions_of_its_own_asks_word_by_word():
    state = PENNIES.decider.fold(PENNIES.decider.initial(2, {}), [PotDrawn(Draw("pot", 0), 3)])
    legal = PENNIES.decider.legal_actions(state, 0).actions
    step = ask(listed_words(PENNIES.notation.write, legal))
    assert [walk(step, PENNIES.notation.write(action)).line for action in legal]
