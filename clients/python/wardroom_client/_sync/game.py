"""One game: its position, what may be done, drafts, moves, history."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from wardroom_client import models
from wardroom_client._sync.session import Session
from wardroom_client.local import position_of
from wardroom_client.retries import new_key

if TYPE_CHECKING:
    from wardroom_rules import Position  # type: ignore[import-not-found, unused-ignore]

Order = str | dict[str, Any]
"""A line of the notation, or several; or an action as `legal` lists it."""


class Game:
    """A game on the server. Nothing is kept here: each question is asked there. All raise Problem and Unreachable."""

    def __init__(self, session: Session, game: str) -> None:
        self._session = session
        self.id = game
        self._path = f"/games/{game}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r})"

    def position(self) -> models.Game:
        """The game as you may see it now: seats, clock, `state`, `you`."""
        position: models.Game = self._session.get(self._path)
        return position

    @property
    def state(self) -> Any:
        """The document of the ruleset as you may see it; None before the start."""
        return (self.position())["state"]

    def at(self, version: int) -> models.Game:
        """The game as you could see it when that event had been recorded."""
        position: models.Game = self._session.get(self._path, version=version)
        return position

    def diff(self, old: int, new: int) -> models.Diff:
        """What changed between two versions, in sentences and as JSON Patch."""
        diff: models.Diff = self._session.get(f"{self._path}/diff", **{"from": old, "to": new})
        return diff

    def legal(self) -> list[models.Action]:
        """What you may do now, each as `text` and as `action`; a sample where there is too much to list."""
        found: models.Actions = self._session.get(f"{self._path}/actions")
        return found["actions"]

    def board(self, version: int | None = None) -> str:
        """The board as plain text."""
        answer = self._session.request(
            "GET", f"{self._path}/board", params={"version": version}, headers={"Accept": "text/plain"}
        )
        return answer.text

    def draft(self, *orders: Order, seen: int | None = None, key: str | None = None) -> "Draft":
        """A move to be tried and then played: lines of the notation, or actions.

        With `seen`, a version, it is played only if nobody has moved since.
        """
        return Draft(self._session, self._path, orders, seen, key or new_key())

    def bid(self, *, seen: int | None = None, **bid: Any) -> models.Moved:
        """Bid in the open round, as the ruleset has it: `chips={"irish": 2}`, `influence=3`."""
        moved: models.Moved = self._session.write("POST", f"{self._path}/bids", bid, headers=_if_match(seen))
        return moved

    def events(self, after: int = 0, *, wait: int = 0, limit: int = 100) -> models.Events:
        """Events after a version, at most `limit`; with `wait`, seconds, it waits for the first one (long poll)."""
        events: models.Events = self._session.get(f"{self._path}/events", after=after, wait=wait, limit=limit)
        return events

    def history(self, after: int = 0) -> Iterator[models.Event]:
        """All events after a version, as many as there are now."""
        while True:
            page = self.events(after, limit=500)
            for event in page["events"]:
                yield event
            after += len(page["events"])
            if not page["events"] or after >= page["head"]["version"]:
                return

    def sit(self, nonce: str | None = None) -> models.Game:
        """Take a free seat, or take over a vacant one."""
        body = {} if nonce is None else {"nonce": nonce}
        position: models.Game = self._session.write("POST", f"{self._path}/seats", body)
        return position

    def leave(self) -> models.Game:
        """Stand up before the start."""
        position: models.Game = self._session.write("DELETE", f"{self._path}/seats/me")
        return position

    def resign(self) -> models.Game:
        """Resign from a running game. This cannot be taken back."""
        position: models.Game = self._session.write("POST", f"{self._path}/resignation", {"confirm": True})
        return position

    def start(self) -> models.Game:
        """Begin with whoever sits there; for the host."""
        position: models.Game = self._session.write("POST", f"{self._path}/start")
        return position

    def say(self, text: str, to: int | None = None) -> None:
        """Speak to the table, or to one seat."""
        self._session.write(
            "POST", f"{self._path}/messages", {"text": text} if to is None else {"text": text, "to": to}
        )

    def export(self) -> bytes:
        """The whole history as you may see it, NDJSON: `wardroom verify` checks it."""
        answer = self._session.request("GET", f"{self._path}/events", headers={"Accept": "application/x-ndjson"})
        return answer.content

    def local(self) -> "Position":
        """The position as your seat knows it, for a search on this machine: needs `wardroom-client[rules]`.

        Raises ValueError where you have no seat, or the game has not begun.
        """
        you = (self.position())["you"]
        if you is None:
            raise ValueError(f"you have no seat in game {self.id}: there is nobody whose knowledge could be searched")
        return position_of(self.export(), you["seat"])


class Draft:
    """A move before it is played. One draft is one act: played twice, also after an error, it is done once."""

    def __init__(self, session: Session, path: str, orders: Sequence[Order], seen: int | None, key: str) -> None:
        self._session, self._path = session, path
        self.orders = tuple(orders)
        self.seen = seen
        self.key = key

    def then(self, *orders: Order) -> "Draft":
        """Another draft, with more at its end."""
        return Draft(self._session, self._path, (*self.orders, *orders), self.seen, new_key())

    def body(self) -> dict[str, Any]:
        """The body of the request. Raises ValueError where lines and actions are mixed."""
        lines = [order for order in self.orders if isinstance(order, str)]
        if len(lines) == len(self.orders):
            return {"text": "\n".join(lines)}
        if lines:
            raise ValueError("a draft is lines of the notation or actions, not some of both")
        return {"actions": list(self.orders)}

    def preview(self) -> models.Draft:
        """What it would do, line by line, and what may follow it; nothing is recorded."""
        draft: models.Draft = self._session.write(
            "POST", f"{self._path}/drafts", self.body(), headers=_if_match(self.seen)
        )
        return draft

    def play(self) -> models.Moved:
        """Play it, all or nothing. Raises Stale where somebody moved since `seen`, Refused, Conflict, Unreadable."""
        moved: models.Moved = self._session.write(
            "POST", f"{self._path}/moves", self.body(), headers=_if_match(self.seen), key=self.key
        )
        return moved


def _if_match(seen: int | None) -> dict[str, str]:
    return {} if seen is None else {"If-Match": f'"{seen}"'}
