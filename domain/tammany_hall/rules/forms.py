"""The forms of the commands (TH-15.1): words as they are typed, and in capitals what to put in their place."""

from typing import Final

from domain.engine.sentences import Sentence, say, typed

PLACE: Final = say("place WARD WARD")
PLACE_LAST: Final = say("place WARD")
SETTLE: Final = say("settle boss WARD cube COLOUR WARD")
SLANDER: Final = say("slander PLAYER WARD COLOUR")
SLANDER_TWICE: Final = say("slander PLAYER WARD COLOUR then WARD")
OFFICE_FAVOR: Final = say("office favor COLOUR")
OFFICE_LOCK: Final = say("office lock WARD")
OFFICE_POLICE: Final = say("office police WARD COLOUR")
OFFICE_MOVE: Final = say("office move COLOUR WARD WARD")
END: Final = typed("end")
BID_NONE: Final = say("bid none")
BID: Final = say("bid COLOUR COUNT")
BID_FOR: Final = say("bid ward WARD COLOUR COUNT")
BONUS_CUBE: Final = say("bonus cube COLOUR WARD")
BONUS_FAVOR: Final = say("bonus favor COLOUR")
BONUS_PASS: Final = say("bonus pass")
ASSIGN: Final = say("assign OFFICE PLAYER OFFICE PLAYER")
GIVEN: Final = say("OFFICE PLAYER")

FORMS: Final[dict[str, tuple[Sentence, ...]]] = {
    "place": (PLACE,),
    "settle": (SETTLE,),
    "slander": (SLANDER, SLANDER_TWICE),
    "office": (OFFICE_FAVOR, OFFICE_LOCK, OFFICE_POLICE, OFFICE_MOVE),
    "end": (END,),
    "bid": (BID_NONE, BID, BID_FOR),
    "bonus": (BONUS_CUBE, BONUS_FAVOR, BONUS_PASS),
    "assign": (ASSIGN,),
}
"""The forms of each command, by its first word."""
