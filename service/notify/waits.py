"""What a mail waits for, in sentences: kept in English with the mail, and said in the reader's language."""

from collections.abc import Mapping
from typing import Final

from domain.engine.sentences import Sentence, say

MORNING: Final = say("it is sent in the morning")
MORNING_AS_ASKED: Final = say("it is sent in the morning, as you asked")
JUST_BEFORE: Final = say("another about this game was sent just before")
TOLD_BY_ANOTHER: Final = say("the letter that asks may tell of it")
DEVICE_FIRST: Final = say("your device is called first")
NIGHTS: Final = frozenset({MORNING, MORNING_AS_ASKED})
"""Those that spare a night, by whatever channel."""
WAITS: Final[Mapping[str, Sentence]] = {
    str(why): why for why in (MORNING, MORNING_AS_ASKED, JUST_BEFORE, TOLD_BY_ANOTHER, DEVICE_FIRST)
}
"""By what is kept."""
