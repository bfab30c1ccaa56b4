"""One game: its position, what may be done, drafts, moves, history."""

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any

from wardroom_client import models
from wardroom_client._async.session import AsyncSession
from wardroom_client.local import position_of
from wardroom_client.retries import new_key

if TYPE_CHECKING:
    from wardroom_rules import Position  # type: ignore[import-not-found, unused-ignore]

Order = str | dict[str, Any]
"""A line of the notation, or several; or an action as `legal` lists it."""


class AsyncGame:
    """A game on the server. Nothing is kept here: each question is asked there. All raise Problem and Unreachable."""

    def __init__(self, session: AsyncSession, game: str) -> None:
        self._session = session
        self.id = game
        self._path = f"/games/{game}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r})"

    async def position(self) -> models.Game:
        """The game as you may see it now: seats, clock, `state`, `you`."""
        position: models.Game = await self._session.get(self._path)
        return position

    @property
    async def state(self) -> Any:
        """The document of the ruleset as you may see it; None before the start."""
        return (await self.position())["state"]

    async def at(self, version: int) -> models.Game:
        """The game as you could see it when that event had been recorded."""
        position: models.Game = await self._session.get(self._path, version=version)
        return position

    async def diff(self, old: int, new: int) -> models.Diff:
        """What changed between two versions, in sentences and as JSON Patch."""
        diff: models.Diff = await self._session.get(f"{self._path}/diff", **{"from": old, "to": new})
        return diff

    async def legal(self) -> list[models.Action]:
        """What you may do now, each as `text` and as `action`; a sample where there is too much to list."""
        found: models.Actions = await self._session.get(f"{self._path}/actions")
        return found["actions"]

    async def board(self, version: int | None = None) -> str:
        """The board as plain text."""
        answer = await self._session.request(
            "GET", f"{self._path}/board", params={"version": version}, headers={"Accept": "text/plain"}
        )
        return answer.text

    def draft(self, *orders: Order, seen: int | None = None, key: str | None = None) -> "AsyncDraft":
        """A move to be tried and then played: lines of the notation, or actions.

        With `seen`, a version, it is played only if nobody has moved since.
        """
        return AsyncDraft(self._session, self._path, orders, seen, key or new_key())

    async def bid(self, *, seen: int | None = None, **bid: Any) -> models.Moved:
        """Bid in the open round, as the ruleset has it: `chips={"irish": 2}`, `influence=3`."""
        moved: models.Moved = await self._session.write("POST", f"{self._path}/bids", bid, headers=_if_match(seen))
        return moved

    async def events(self, after: int = 0, *, wait: int = 0, limit: int = 100) -> models.Events:
        """Events after a version, at most `limit`; with `wait`, seconds, it waits for the first one (long poll)."""
        events: models.Events = await self._session.get(f"{self._path}/events", after=after, wait=wait, limit=limit)
        return events

    async def history(self, after: int = 0) -> AsyncIterator[models.Event]:
        """All events after a version, as many as there are now."""
        while True:
            page = await self.events(after, limit=500)
            for event in page["events"]:
                yield event
            after += len(page["events"])
            if not page["events"] or after >= page["head"]["version"]:
                return

    async def sit(self, nonce: str | None = None) -> models.Game:
        """Take a free seat, or take over a vacant one."""
        body = {} if nonce is None else {"nonce": nonce}
        position: models.Game = await self._session.write("POST", f"{self._path}/seats", body)
        return position

    async def leave(self) -> models.Game:
        """Stand up before the start."""
        position: models.Game = await self._session.write("DELETE", f"{self._path}/seats/me")
        return position

    async def resign(self) -> models.Game:
        """Resign from a running game. This cannot be taken back."""
        position: models.Game = await self._session.write("POST", f"{self._path}/resignation", {"confirm": True})
        return position

    async def start(self) -> models.Game:
        """Begin with whoever sits there; for the host."""
        position: models.Game = await self._session.write("POST", f"{self._path}/start")
        return position

    async def say(self, text: str, to: int | None = None) -> None:
        """Speak to the table, or to one seat."""
        await self._session.write(
            "POST", f"{self._path}/messages", {"text": text} if to is None else {"text": text, "to": to}
        )

    async def export(self) -> bytes:
        """The whole history as you may see it, NDJSON: `wardroom verify` checks it."""
        answer = await self._session.request("GET", f"{self._path}/events", headers={"Accept": "application/x-ndjson"})
        return answer.content

    async def local(self) -> "Position":
        """The position as your seat knows it, for a search on this machine: needs `wardroom-client[rules]`.

        Raises ValueError where you have no seat, or the game has not begun.
        """
        you = (await self.position())["you"]
        if you is None:
            raise ValueError(f"you have no seat in game {self.id}: there is nobody whose knowledge could be searched")
        return position_of(await self.export(), you["seat"])


class AsyncDraft:
    """A move before it is played. One draft is one act: played twice, also after an error, it is done once."""

    def __init__(self, session: AsyncSession, path: str, orders: Sequence[Order], seen: int | None, key: str) -> None:
        self._session, self._path = session, path
        self.orders = tuple(orders)
        self.seen = seen
        self.key = key

    def then(self, *orders: Order) -> "AsyncDraft":
        """Another draft, with more at its end."""
        return AsyncDraft(self._session, self._path, (*self.orders, *orders), self.seen, new_key())

    def body(self) -> dict[str, Any]:
        """The body of the request. Raises ValueError where lines and actions are mixed."""
        lines = [order for order in self.orders if isinstance(order, str)]
        if len(lines) == len(self.orders):
            return {"text": "\n".join(lines)}
        if lines:
            raise ValueError("a draft is lines of the notation or actions, not some of both")
        return {"actions": list(self.orders)}

    async def preview(self) -> models.Draft:
        """What it would do, line by line, and what may follow it; nothing is recorded."""
        draft: models.Draft = await self._session.write(
            "POST", f"{self._path}/drafts", self.body(), headers=_if_match(self.seen)
        )
        return draft

    async def play(self) -> models.Moved:
        """Play it, all or nothing. Raises Stale where somebody moved since `seen`, Refused, Conflict, Unreadable."""
        moved: models.Moved = await self._session.write(
            "POST", f"{self._path}/moves", self.body(), headers=_if_match(self.seen), key=self.key
        )
        return moved


def _if_match(seen: int | None) -> dict[str, str]:
    return {} if seen is None else {"If-Match": f'"{seen}"'}
