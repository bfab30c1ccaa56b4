"""The options of the game in words, for those who open a table or sit down at one (CH-19.3)."""

from typing import Final

from domain.engine.presentation import Variant
from domain.engine.sentences import say

VARIANTS: Final = {
    "zero-bid": Variant(
        say("A bid of 0 Influence"),
        "CH-7.6",
        {"allowed": say("is allowed: an Office may be given away"), "refused": say("is refused")},
    ),
    "health-ties": Variant(
        say("Three or four players tied at the Health Commissioner"),
        "CH-8.24",
        {
            "shared-rank": say("use up every rank they share: 4, 4, 4, 0"),
            "next-only": say("use up one more rank only: 4, 4, 4, 1"),
        },
    ),
    "health-bonus": Variant(
        say("The bonus of the Health Commissioner"),
        "CH-8.22",
        {"optional": say("may be declined"), "mandatory": say("must be used")},
    ),
    "zero-stars": Variant(
        say("A total of 0 stars"),
        "CH-8.25",
        {"counted": say("is ranked like any other"), "ignored": say("gains nothing")},
    ),
    "campaign": Variant(
        say("The Campaign Manager"),
        "CH-8.4",
        {"mandatory": say("must choose one of the three lines"), "optional": say("may do nothing")},
    ),
    "zoning-build": Variant(
        say("The Zoning Board, building from the hand"),
        "CH-8.17",
        {"exactly-two": say("builds exactly two Permits"), "one-or-two": say("builds one Permit or two")},
    ),
    "holdings": Variant(
        say("Money and Influence of the others"),
        "CH-14.4",
        {"secret": say("are secret: you see what is paid, not what is left"), "open": say("are shown to everybody")},
    ),
    "park-approval": Variant(
        say("The approval that a Park brings"),
        "CH-10.5",
        {
            "one-space": say("is one space of the Approval Rating Track"),
            "next-rating": say("leads to the next higher Approval Rating"),
        },
    ),
}
