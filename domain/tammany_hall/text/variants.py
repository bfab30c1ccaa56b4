"""The options of the game in words, for those who open a table or sit down at one (TH-17.3)."""

from typing import Final

from domain.engine.presentation import Variant
from domain.engine.sentences import say

VARIANTS: Final = {
    "chip-supply": Variant(
        say("Favor chips of each colour"),
        "TH-2.3",
        {"35": say("35, as in most editions"), "25": say("25: favors run short")},
    ),
    "lock-scope": Variant(
        say("A locked ward"),
        "TH-7.11",
        {
            "sealed": say("is sealed: nothing goes in or out, and nobody in it is slandered"),
            "placement-only": say("only takes no new pieces: slander and the police still reach it"),
        },
    ),
    "leader-zero": Variant(
        say("A colour of which nobody holds a cube"),
        "TH-10.4",
        {"none": say("has no leader"), "all": say("is led by all: everybody takes three chips")},
    ),
    "end-zero": Variant(
        say("At the end, a colour of which nobody has a chip"),
        "TH-13.3",
        {"none": say("scores for nobody"), "all": say("scores 2 VP for everybody")},
    ),
    "ward-bonus": Variant(
        say("The bonus for winning a ward"),
        "TH-9.15",
        {"optional": say("may be declined"), "mandatory": say("must be taken")},
    ),
    "holdover-vp": Variant(
        say("A mayor who stays because a tie is not broken"),
        "TH-11.5",
        {"3": say("scores 3 VP like any other"), "0": say("scores nothing")},
    ),
    "second-slander-presence": Variant(
        say("The second step of a slander"),
        "TH-8.4",
        {
            "required": say("needs a boss of your own there, too"),
            "not-required": say("needs no boss of your own there"),
        },
    ),
    "sealed-bid": Variant(
        say("A sealed bid"),
        "TH-9.9",
        {
            "replaceable": say("may be replaced until all are in"),
            "final": say("stands as it was first handed in"),
        },
    ),
    "final-tie": Variant(
        say("A tie for victory that nothing breaks, without the mayor"),
        "TH-13.7",
        {
            "shared": say("is a shared victory of those who are tied"),
            "mayor-wins": say("is won by the mayor, as the rulebook says"),
        },
    ),
}
