"""The forms of the lines of a ballot: words as they are typed, and in capitals what to put in their place."""

from typing import Final

from domain.engine.sentences import Sentence, row, say, say_in, typed
from domain.tammany_hall.rules.forms import ASSIGN

WARD_EXACTLY: Final = say("ward WARD bid COLOUR COUNT")
WARD_NONE: Final = say("ward WARD bid none")
WARD_UP_TO: Final = say("ward WARD up to COUNT COLOUR COLOUR")
WARD_IF: Final = say("ward WARD bid COLOUR COUNT if contested while winnable")
OTHERS_NONE: Final = say("others bid none")
OTHERS_UP_TO: Final = say("others up to COUNT COLOUR")
KEEP: Final = say("keep COUNT COLOUR for ward WARD")
BONUS_CUBE: Final = say("bonus WARD cube COLOUR WARD")
BONUS_FAVOR: Final = say("bonus WARD favor COLOUR")
BONUS_OTHERS: Final = say("bonus others pass")
PASS_SLANDER: Final = say("pass slander")
END_WHEN_PLACED: Final = say("end when placed")
TERM: Final = say("term NUMBER")

FORMS: Final[dict[str, tuple[Sentence, ...]]] = {
    "ward": (WARD_EXACTLY, WARD_NONE, WARD_UP_TO, WARD_IF),
    "others": (OTHERS_NONE, OTHERS_UP_TO),
    "keep": (KEEP,),
    "bonus": (BONUS_CUBE, BONUS_FAVOR, BONUS_OTHERS),
    "assign": (ASSIGN,),
    "pass": (PASS_SLANDER,),
    "end": (END_WHEN_PLACED,),
    "term": (TERM,),
}
"""The forms of each kind of line, by its first word."""
WORDS: Final = frozenset(
    {
        say_in("command", "others"),
        say_in("command", "up"),
        say_in("command", "to"),
        say_in("command", "if"),
        say_in("command", "contested"),
        say_in("command", "while"),
        say_in("command", "winnable"),
        say_in("command", "keep"),
        say_in("command", "for"),
        say_in("command", "when"),
        say_in("command", "placed"),
        say_in("command", "term"),
    }
)
"""The words of a ballot that no other command has. They stand where no player is named, so a name may be one."""
UP_TO: Final = row([typed("up"), typed("to")], " ")
