"""The draft of a move: lines of notation that nothing is recorded of until they are played."""

from dataclasses import dataclass

from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from service.kernel.ids import new_nonce
from service.languages import canonical
from service.web.game.view import GameView

LONGEST = 4000


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a draft cannot be played: the sentence, the rule it follows, and the line, where it is about one."""

    text: str
    rule: str
    line: str = ""


@dataclass(frozen=True, slots=True)
class Sent:
    """The draft as a form sent it: its text, the version it was made for, and the key under which it is played once."""

    text: str = ""
    version: int | None = None
    key: str = ""

    @property
    def lines(self) -> list[str]:
        """Its lines, without blank ones."""
        return [line.strip() for line in self.text.splitlines() if line.strip()]


@dataclass(frozen=True, slots=True)
class Tray:
    """The draft as the page shows it."""

    text: str
    version: int
    key: str
    refusal: Refusal | None


def tray_of(view: GameView, sent: Sent, refusal: Refusal | None = None) -> Tray:
    """The tray with what was sent in it; the key is the draft's own as long as it is one of this version."""
    is_same = sent.version == view.head.version and sent.key
    return Tray(sent.text, view.head.version, sent.key if is_same else new_nonce(), refusal)


def orders_of(view: GameView, sent: Sent) -> str:
    """The draft in the words that the rules understand, which are English."""
    return "\n".join(canonical(line, view.language, view.kind) for line in sent.lines)


def refusal_of(view: GameView, error: RuleViolation | OrderNotUnderstood) -> Refusal:
    """A refusal of the rules in the reader's language, with people by their names."""
    line = error.line if isinstance(error, OrderNotUnderstood) else ""
    return Refusal(view.words_with_names(error.message), error.rule, line)
