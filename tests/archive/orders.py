"""Standing orders as people might file them."""

import random
from typing import Any, Final

TAMMANY: Final = (
    "others bid none",
    "ward 1 bid irish 1\nothers bid none",
    "ward 1 up to 3 irish english\nward 4 up to 2 german",
    "bonus others pass",
    "pass slander",
    "end when placed\npass slander",
    "ward 6 bid german 1 if contested\nward 2 bid none",
    "others bid none\nbonus 1 cube italian 10",
)
CITY: Final = (
    "others pass",
    "every round\nothers pass",
    "bid tax up to 4\nothers pass",
    "keep others up to 3\nothers bid up to 2",
    "bid tax 4\nbid zoning 3\nkeep others up to 9\naccept red blue",
    "every round\nkeep others up to 4",
    "every round\nothers bid 5",
)


def tammany(chance: random.Random, game: Any, seat: int) -> str:
    """A ballot, or what to do in turns."""
    return chance.choice(TAMMANY)


def city(chance: random.Random, game: Any, seat: int) -> str:
    """Proxies."""
    return chance.choice(CITY)
