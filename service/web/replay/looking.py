"""A replay as one person looks at it: the game as it stands, and the eyes they look through."""

import hashlib
import hmac
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import msgspec

from domain.engine.sentences import say
from service.games import replay
from service.games.reader_view import ReaderView
from service.games.replay import Eyes, Step
from service.web.http.assets import edition
from service.web.http.forms import browser_secret
from service.web.replay.frame import Frame
from service.web.replay.spot import ALL, OWN, PUBLIC

AS_TOLD: Final = say("As you were told it then, and with what was yours to know.")
AS_SEEN_BY_ALL: Final = say("As everybody could see it then.")
ALL_REVEALED: Final = say("With all that was secret then: hands, and sealed bids when they were made.")


@dataclass(frozen=True, slots=True)
class Choice:
    """Eyes that may be looked through: what stands in the address for them, and what they are called."""

    whose: str
    name: str


@dataclass(frozen=True)
class Looking:
    """Who looks at a game again, through whose eyes."""

    now: ReaderView
    """The game as it stands."""
    whose: str

    @property
    def eyes(self) -> Eyes:
        """Raises KeyError for what are no eyes that one may look through."""
        return Eyes("own", self.now.player) if self.whose == OWN else self._others[self.whose]

    @property
    def is_allowed(self) -> bool:
        """Whether there are such eyes, and one may look through them yet: until the end, only through one's own."""
        return self.whose == OWN or (replay.is_over(self.now.head.table) and self.whose in self._others)

    @cached_property
    def steps(self) -> list[Step]:
        """All steps of the game."""
        return replay.steps_of(self.now.head.rules, self.now.past)

    @cached_property
    def rewinds(self) -> list[tuple[int, int]]:
        """Where the game went back, and where to."""
        head = self.now.head
        return self.now.services.streams.rewinds(self.now.connection, head.game, head.version)

    @cached_property
    def epoch(self) -> str:
        """A name for all that a step of this reader could change with besides its version: nobody else can know it.
        All who are not signed in read the same.

        With the end of the game, a rewind, another name or language, another edition of the pages it is another.
        """
        view = self.now
        facts = (
            view.head.game, self.whose, view.player and (view.player, view.timezone, browser_secret()), view.language,
            edition(), self.rewinds, replay.is_over(view.head.table), view.display_names,
        )  # fmt: skip
        key = hashlib.sha256(b"replay|" + view.services.settings.secret_key.encode()).digest()
        return hmac.new(key, msgspec.json.encode(facts), hashlib.sha256).hexdigest()[:24]

    @property
    def described(self) -> str:
        """Whose view it is, in a sentence."""
        words, eyes = self.now.words, self.eyes
        if eyes.whose == "all":
            return words(ALL_REVEALED)
        if eyes.whose == "seat" and eyes.seat is not None:
            return words(say("As {name} saw it then.", name=self.now.names[eyes.seat]))
        return words(AS_SEEN_BY_ALL if eyes.whose == "seat" or self.now.seat is None else AS_TOLD)

    @property
    def choices(self) -> list[Choice]:
        """The eyes that may be looked through now; none while the game runs, for there is no choice."""
        if not replay.is_over(self.now.head.table):
            return []
        words, names, pawns = self.now.words, self.now.names, self.now.head.rules.notation.pawns
        own = [] if self.now.seat is None else [Choice(OWN, words(say("as you were told")))]
        public = OWN if self.now.seat is None else PUBLIC
        seats = [Choice(pawn, name) for pawn, name in zip(pawns, names, strict=False)]
        return [*own, *seats, Choice(public, words(say("spectators"))), Choice(ALL, words(say("everything")))]

    def frame(self, version: int) -> Frame:
        """The game after an event, which must be there; looked up once."""
        if version not in self._frames:
            view = self.now
            moment = replay.moment_at(view.services, view.connection, view.head, self.eyes, version)
            self._frames[version] = Frame(view, moment)
        return self._frames[version]

    @cached_property
    def _frames(self) -> dict[int, Frame]:
        return {}

    @property
    def _others(self) -> dict[str, Eyes]:
        pawns = self.now.head.rules.notation.pawns[: len(self.now.head.table.chairs)]
        seats = {pawn: Eyes("seat", seat=seat) for seat, pawn in enumerate(pawns)}
        return {ALL: Eyes("all"), PUBLIC: Eyes("seat"), **seats}
