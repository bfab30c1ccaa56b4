"""How many votes things are worth, as a table of numbers: moved by self-play, each kept where it won more games."""

from dataclasses import dataclass
from typing import Final


@dataclass(slots=True)
class Worths:
    """Numbers that the worths are made of. A trial may change them; nothing else does."""

    pace: float = 1.6
    """Spaces by which the end comes nearer in a round."""
    used: float = 0.75
    """How often the Health Commissioner is used in a round before the final one."""
    trust: float = 0.6
    """How surely the rank in stars stays as it is."""
    climb_round: float = 0.6
    """Spaces of approval that a round brings by itself."""
    climb_money: float = 0.03
    """Spaces of approval that a dollar in hand promises."""
    climb: float = 1.0
    """What is left at the end of a space of approval gained before the final round."""
    campaigns: float = 0.55
    """How surely the first $10 become a space of approval."""
    second: float = 1.0
    """The next $20, against that."""
    more: float = 1.0
    """The $60 after those, against that."""
    wall: float = 0.04
    """Votes for a dollar on Wall Street, before the final round."""
    wall_final: float = 0.12
    influence: float = 3.0
    """Votes for one Influence where the seats hold nothing on average."""
    plenty: float = 60.0
    """The mean number of Influence in hand at which it is worth half."""
    full: float = 8.0
    """From so many Influence in the own hand, the next are worth half."""
    spent: float = 0.35
    """What Influence is still worth at the end of the final round."""
    star: float = 0.18
    """Population that one more star brings whenever stars are counted, for each rival."""
    spoil: float = 0.5
    """A star of a rival, against an own one."""
    sure: float = 0.5
    """How surely a lead for an Endorsement is kept."""
    near: float = 0.25
    """What one more means to who is near a lead."""
    site: float = 1.0
    """How far land is thought to be built on well."""
    crowd: float = 0.6
    """How much each empty space of one's own makes another one worth less."""
    income: float = 0.1
    """Votes for a dollar of income in each of the next rounds."""
    built: float = 0.0
    """Votes for any Permit built, before the final round."""
    garden: float = 1.5
    """Votes for a place beside a Park in each round to come."""
    housing: float = 3.0
    tower: float = 2.0
    factory: float = 2.0
    park: float = 4.0
    """Votes for each kind of Permit in hand."""
    first: float = 3.0
    """Votes for the first position of the track."""
    zoning: float = 10.0
    """Votes for the Zoning Board before its cards are seen, at least."""
    draft: float = 1.5
    """How much more land means in the draft."""
    chance: float = 6.0
    """Votes over which an answer is uncertain."""


WORTHS: Final = Worths()
