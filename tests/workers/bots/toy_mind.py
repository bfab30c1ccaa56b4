"""The process in which bots think, with Pennies among its games; one of the mood "for ever" has no end."""

from domain.rulesets import RULESETS
from service.games.questions import Question, unpack_state
from tests.domain.table.pennies import PENNIES
from workers.bots import mind_process

RULESETS[PENNIES.kind] = PENNIES  # type: ignore[index]
think = mind_process.think


def think_or_wait(question: Question) -> bytes:
    if question.kind == "pennies" and unpack_state("pennies", question.state).options["mood"] == "for ever":
        while True:
            pass
    return think(question)


mind_process.think = think_or_wait
mind_process.main()
