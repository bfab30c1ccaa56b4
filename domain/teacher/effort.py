"""How long the teacher looks at a question: nobody waits at a table, and what was played must be weighed as well."""

from collections.abc import Mapping
from typing import Final

import msgspec

from domain.search.strengths import EFFORTS, Effort

LEISURE: Final = 3
"""So many times as long as a bot of the same strength."""
STUDY_EFFORTS: Final[Mapping[int, Effort]] = {
    strength: msgspec.structs.replace(effort, simulations=LEISURE * effort.simulations)
    for strength, effort in EFFORTS.items()
}
"""By the strength of the bot that judges."""
