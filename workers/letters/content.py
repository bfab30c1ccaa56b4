"""The content of a letter: a headline and sections, in one of three frames."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from domain.engine.sentences import Sentence
from service.mail import addresses
from workers.letters.digest import Digest
from workers.letters.letter_view import LetterView
from workers.letters.sections import Section


@dataclass(frozen=True, slots=True)
class Reply:
    """What the answering address of a letter may do (OUT-25)."""

    purpose: str = addresses.ANSWER
    decision: str = ""  # what it answers where the letter asks for nothing
    held: int | None = None  # the mail it confirms


@dataclass(frozen=True, slots=True)
class GameContent:
    """The content of a letter about a game."""

    view: LetterView
    headline: str
    sections: Sequence[Section]
    without_secrets: Sequence[Section] | None = None  # in their place for who wants no secrets; None: there are none
    reply: Reply | None = field(default_factory=Reply)  # None: nobody reads an answer
    in_answer_to: str | None = None  # the Message-ID of the mail it answers, as its sender gave it
    inviter: str = ""  # the player in whose name it is sent, if any: its From names them, not its kind
    subject: str = ""  # "" for the constant subject of the game (OUT-08)
    lead: str = ""  # what stands right below the headline
    place: str = ""  # the table and the stage of the game, if the headline names neither
    calendar: bool = False  # whether the deadline comes as a file, too

    @property
    def in_short(self) -> str:
        """The headline in the reader's language; with deadline and table, if it names neither."""
        parts = [self.headline, self.lead, self.place] if self.place else [self.headline]
        return " ".join(self.view.words(part) for part in parts if part)


@dataclass(frozen=True, slots=True)
class AccountContent:
    """The content of a letter about an account."""

    headline: Sentence
    sections: Sequence[Section]


@dataclass(frozen=True, slots=True)
class DigestContent:
    """The content of a letter about all games of a player."""

    digest: Digest


LetterContent = GameContent | AccountContent | DigestContent
