"""To whom a line of table talk goes: what may be meant for one is never told to all, so in doubt it is not said."""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from domain.engine.game import Seat
from domain.engine.sentences import Sentence, row, say, typed
from service.games.outcomes import NotSaid
from service.languages import LANGUAGES, synonyms
from service.languages.commands import EXPANDED
from workers.parsing.near_words import nearest

TO: Final = r"(?:(to|à|au|aux|zu|zum|zur|an|a)\s+|@\s*)"
"""What stands before a name, in every language; the last two are English words as well."""
ARTICLES: Final = frozenset({"a", "an"})
EVERYBODY: Final = frozenset(
    "all everyone everybody table thetable tous toutes toustes toutlemonde latable alle allen tisch dentisch".split()
)
MOST_WORDS: Final = 6
"""A name has no more words than this."""
_TO: Final = re.compile(rf"{TO}(.+)", re.IGNORECASE)
_COLON: Final = re.compile(r"\s*(?!:[-'^]?[()\[\]|/\\*])(?!(?<=\s):[DPpOo](?:\s|$))(?!(?<=[0-9]):[0-9])[:：﹕︓∶꞉]\s*")
"""What parts a name from what is said; no time such as 8:30, no address and no smiley has one."""

HOW: Final = say("Write: say to NAME: …, or say it to the table without a colon after the first word.")
NOTHING: Final = say("Write what you have to say on the same line.")


class Called:
    """What the people at a table are called: as they named themselves, in the notation, and by their pawns."""

    def __init__(self, names: Sequence[str], displayed: Sequence[str | None], pawns: Sequence[str], kind: str) -> None:
        self.pawns = pawns[: len(names)]
        self.known: dict[str, set[Seat]] = {}
        self.colours: dict[str, set[Seat]] = {}
        for seat, name in (*enumerate(names), *enumerate(displayed)):
            for form in _forms(name or ""):
                self.known.setdefault(form, set()).add(seat)
        for word, pawn in _pawns(self.pawns, kind):
            self.colours.setdefault(word, set()).add(self.pawns.index(pawn))

    def seats(self, name: str) -> set[Seat]:
        """Whose name this may be: with its letters as they are, or else without case, accents, blanks and signs."""
        exact, loose = _exact(name), folded(name)
        known = self.known.get(exact) or self.known.get(loose, set())
        return known | self.colours.get(loose, set())

    def is_colour(self, name: str) -> bool:
        """Whether a name is that of a pawn and nobody's own."""
        return folded(name) in self.colours and not self.known.keys() & {_exact(name), folded(name)}

    def is_near(self, name: str) -> bool:
        """Whether a name may be a slip of somebody's."""
        return bool(nearest(folded(name), self.known.keys() | self.colours.keys()))


def folded(name: str) -> str:
    """A name as it is compared: only its letters and digits, small and without accents."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in parts if letter.isalnum())


def _exact(name: str) -> str:
    """A name in its own letters, told apart from a folded one by a blank in front."""
    return " " + unicodedata.normalize("NFC", " ".join(name.split()).casefold())


def _forms(name: str) -> set[str]:
    return {_exact(name), folded(name), folded(name.casefold().translate(EXPANDED))} - {" ", ""}


def _pawns(pawns: Sequence[str], kind: str) -> list[tuple[str, str]]:
    """The words for each pawn in all languages, folded."""
    spoken = [pair for language in LANGUAGES for pair in synonyms(language, kind).items()]
    return [(folded(word), pawn) for word, pawn in (*zip(pawns, pawns, strict=True), *spoken) if pawn in pawns]


def addressed(said: str, called: Called) -> tuple[Seat | None, str]:
    """To whom a line goes, None for the table, and what it says. Raises NotSaid where that is not certain."""
    said = _plain(said)
    found = _TO.fullmatch(said)
    word, rest = ((found[1] or "@").lower(), found[2]) if found else ("", said)
    colon = _COLON.search(rest)
    if colon is not None:
        return _before_colon(said, word, rest[: colon.start()], rest[colon.end() :], called)
    return _without_colon(said, word, rest, called) if found else (None, said)


def _before_colon(said: str, word: str, head: str, text: str, called: Called) -> tuple[Seat | None, str]:
    seats = called.seats(head)
    if seats:
        return _only(head, seats, text, called), text
    if folded(head) in EVERYBODY:
        return None, text if word else said
    words = head.split()
    ends = any(called.seats(" ".join(words[place:])) for place in range(len(words)))
    if word or len(words) <= 2 or (ends and len(words) <= MOST_WORDS):
        raise NotSaid("no-such-player", _nobody(head))
    return None, said


def _without_colon(said: str, word: str, rest: str, called: Called) -> tuple[Seat | None, str]:
    words = rest.split()
    for length in range(min(MOST_WORDS, len(words)), 0, -1):
        name = " ".join(words[:length])
        seats = called.seats(name)
        if seats and not (word in ARTICLES and called.is_colour(name)):
            text = " ".join(words[length:])
            return _only(name, seats, text, called), text
    if word not in ARTICLES and words and (word == "@" or called.is_near(words[0])):
        raise NotSaid("no-such-player", _nobody(words[0]))
    return None, said


def _only(name: str, seats: set[Seat], text: str, called: Called) -> Seat:
    if len(seats) > 1:
        pawns = row([typed(called.pawns[seat]) for seat in sorted(seats)], ", ")
        message = say(
            "More than one player may be called {name}, so nothing was said. Write the pawn instead: {pawns}.",
            name=name.strip()[:40], pawns=pawns,
        )  # fmt: skip
        raise NotSaid("no-such-player", message)
    if not text:
        raise NotSaid("bad-text", NOTHING)
    return min(seats)


def _nobody(name: str) -> Sentence:
    message = say("Nobody at this table is called {name}, so nothing was said.", name=name.strip()[:40])
    return say("{first} {second}", first=message, second=HOW)


def _plain(said: str) -> str:
    """A line without what cannot be seen, in single blanks."""
    seen = "".join(letter for letter in unicodedata.normalize("NFC", said) if unicodedata.category(letter) != "Cf")
    return " ".join(seen.split())
