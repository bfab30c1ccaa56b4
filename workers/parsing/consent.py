"""A yes or no in everyday words: the answer to an invitation, in English, French and German (IN-10d)."""

import re
from collections.abc import Collection, Sequence
from typing import Final, Literal

from workers.parsing.new_text import Line
from workers.parsing.normalise import normal
from workers.parsing.small_talk import closes, greets
from workers.parsing.take_backs import find_doubt

Answer = Literal["yes", "no", "doubtful", ""]
YES: Final = (
    "yes|yep|yeah|yup|sure|of course|ok|okay|gladly|absolutely|definitely|certainly|count me in|i'm in|i am in|"
    "with pleasure|(?:i'd|i would) (?:love|like|be (?:happy|glad|delighted)) to(?! know| hear| see| understand)|"
    "love to|happy to|why not|let's (?:play|go|do it)|i'll (?:join|play|take part)|i will (?:join|play)|i accept|"
    "deal me in|no problem|"
    "ja|jawohl|klar|gern|gerne|sehr gern|sehr gerne|natürlich|ich bin dabei|bin dabei|auf jeden fall|mit vergnügen|"
    "ich mache? mit|ich spiele? (?:gern\\w* )?mit|ich nehme an|warum nicht|"
    "oui|volontiers|avec (?:grand )?plaisir|d'accord|bien sûr|je (?:veux|voudrais) bien|je participe|j'accepte|"
    "je suis partante?|partante?|pourquoi pas"
)
NO: Final = (
    "no|nope|no thanks|no thank you|not this time|i (?:can't|cannot|can not)|i'd rather not|i'm afraid (?:not|i can't)|"
    "nein|nein danke|leider (?:nein|nicht)|diesmal nicht|ich kann (?:leider )?nicht|"
    "non|non merci|pas cette fois|je ne peux pas|malheureusement (?:non|pas)"
)
POLITE: Final = (
    r"(?:(?:oh|well|hm+|hi|hello|hallo|bonjour|salut|great|cool|super|wonderful|prima|toll|génial|sorry|leider|"
    r"désolée?|(?:many )?(?:thanks|thank you|danke|merci)(?: (?:for|für|pour|de) [^,.!?]*)?)\b[ ,.!]*)*"
)
CONDITIONS: Final = re.compile(
    r"\b(?:if|but|unless|until|maybe|perhaps|might|depends|wenn|falls|aber|vielleicht|sofern|kommt drauf an|si|mais|"
    r"peut-être|sauf)\b|\?"
)
"""What makes a yes one that is asked about."""
_YES: Final = re.compile(rf"^{POLITE}(?:{YES})(?!\w)")
_NO: Final = re.compile(rf"^{POLITE}(?:{NO})(?!\w)(?! (?:problem|worries|rush|hurry|idea|doubt))")
_MAYBE: Final = re.compile(r"\b(?:maybe|perhaps|vielleicht|peut-être|i think so|ich glaube schon|je crois que oui)\b")


def read_answer(text: str, people: Collection[str]) -> Answer:
    """Return what the new text of a mail answers to a yes-or-no question; "" if it does not answer it."""
    lines = _without_frame([line for line in text.splitlines() if line.strip()])
    first = normal(lines[0]) if lines else ""
    if _NO.match(first) and not any(CONDITIONS.search(normal(line)) for line in lines):
        return "no"
    if not _YES.match(first):
        return "doubtful" if _MAYBE.search(first) else ""
    doubt = find_doubt([], [Line(1, line) for line in lines], people)
    return "doubtful" if doubt or any(CONDITIONS.search(normal(line)) for line in lines) else "yes"


def _without_frame(lines: Sequence[str]) -> list[str]:
    """Return lines without a greeting above them, and without a closing and all below it."""
    kept: list[str] = []
    for line in lines:
        if kept and closes(normal(line)):
            break
        if kept or not greets(normal(line)):
            kept.append(line)
    return kept
