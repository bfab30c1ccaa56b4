"""A game told in sentences: what happened between two versions, or all of it, part by part."""

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec

from domain.engine.game import Event, Seat
from domain.engine.sentences import Sentence, row, say
from domain.table import events as e
from domain.table.evolve import HANDLERS, Rules
from domain.table.state import Chair, Table
from domain.table.undo import KEPT
from service.accounts.names import handles
from service.container import Services
from service.games import operator_text
from service.games.event_text import everybody, tell
from service.games.seat_names import called
from service.store.database import Connection
from service.store.event_store.stream_reader import undone_by
from service.store.event_store.streams import Head
from service.store.people.readers import names_of
from service.store.running import operator_acts
from service.store.running.operator_acts import Act

WIDTH: Final = 78
SEATING: Final = (
    e.GameOpened, e.SeatTaken, e.SeatLeft, e.GameStarted, e.SeatTakenOver, e.SeatTakenByBot, e.SeatVacated,
)  # fmt: skip
LEAVING: Final = (e.SeatLeft, e.SeatVacated)
"""What is told of who sat there before."""
BEFORE: Final = say("Before the game")
NOBODY: Final = re.compile(r"(^|[.!?] )a former player \(")
"""Somebody who is gone, where a sentence begins."""
PARTS: Final[dict[type[Event], str]] = {
    e.GameOpened: BEFORE,
    e.GameStarted: say("Setup"),
    e.GameFinished: say("The end"),
    e.GameAbandoned: say("The end"),
}
"""The parts of a story that begin and end with the table."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one event tells, for any language; "" for nothing. `undone_by`: the event with which the game went back to
    before it."""

    version: int
    event: Event
    text: str
    undone_by: int | None

    def document(self) -> dict[str, Any]:
        """The line as JSON."""
        shown = {"version": self.version, "text": _capital(self.text)}
        return shown if self.undone_by is None else shown | {"undone_by": self.undone_by}


@dataclass(slots=True)
class Part:
    """A part of a story: from one event to another, without a gap."""

    heading: str
    lines: list[Line] = field(default_factory=list)

    @property
    def is_telling(self) -> bool:
        """Return whether any of its events tells anything."""
        return any(line.text for line in self.lines)

    def document(self) -> dict[str, Any]:
        """The part as JSON."""
        return {
            "heading": self.heading,
            "from": self.lines[0].version,
            "to": self.lines[-1].version,
            "lines": [line.document() for line in self.lines if line.text],
        }


def lines(
    services: Services,
    connection: Connection,
    head: Head,
    seat: Seat | None,
    *,
    after: int,
    upto: int,
    revealed: bool = False,
) -> list[Line]:
    """What every event after `after` up to `upto` tells a seat that knows what is open at `upto`; or, `revealed`,
    somebody who knows all that has been opened since.

    People are called what they are called now, each in their own time at the table.
    """
    streams, span = services.streams, {"after": after, "upto": upto}
    if revealed:
        events = list(streams.facts_revealed(connection, head.game, head.rules, **span))
    else:
        events = list(streams.facts_seen(connection, head.game, head.rules, seat, **span))
    rewinds = services.streams.rewinds(connection, head.game, upto, after)
    chairs = services.streams.chairs(connection, head.game, head.rules, after)
    acts = operator_acts.of_game(connection, head.game)
    told: list[Line] = []
    said: set[str] = set()
    for version, (event, names) in enumerate(_with_names(connection, head.rules, chairs, events), after + 1):
        back = None if isinstance(event, KEPT) else undone_by(rewinds, version)
        text = _with_acts(acts, version, _sentence(head.rules, event, names), names, reasons=seat is not None)
        if not told or type(told[-1].event) is not type(event):
            said = set()
        if text in said:  # a sealed bid that was replaced, orders that were given anew: nothing more is known of it
            text = ""
        said.add(text)
        text = say("{sentence} (Taken back.)", sentence=text) if text and back is not None else text
        told.append(Line(version, event, text, back))
    return told


def _with_acts(acts: Sequence[Act], version: int, text: str, names: Sequence[str], *, reasons: bool) -> str:
    """What an event tells, with what the operator did then: in its place, where it is what the operator did.

    Strangers are not told why.
    """
    tell_act = operator_text.tell_why if reasons else operator_text.tell
    recorded: list[str] = [tell_act(act, names) for act in acts if act.results.get("from") == version]
    beside = [tell_act(act, names) for act in acts if "from" not in act.results and act.version == version]
    return row([word for word in (*(recorded or [text]), *beside) if word], " ") if recorded or beside else text


def parts(rules: Rules, told: Sequence[Line]) -> list[Part]:
    """A whole game part by part: where it goes back, the part it goes back to begins again."""
    told = [
        replace(line, text="") if type(line.event) in rules.presentation.narrative.passing else line for line in told
    ]
    found: list[Part] = []
    headings: list[tuple[str, str]] = []
    above: str = BEFORE
    name = ""
    for line in told:
        begins = (
            (PARTS[type(line.event)], "")
            if type(line.event) in PARTS
            else rules.presentation.narrative.chapter(line.event)
        )
        if begins is not None:
            above, name = begins[0] or above, begins[1]
        heading = row([word for word in (above, name) if word], ", ")
        again = bool(headings) and isinstance(told[line.version - 2].event, e.Rewound) and headings[-1] != (above, name)
        if again:
            found.append(Part(say("{part}, again", part=heading)))
        elif not headings or headings[-1] != (above, name):
            found.append(Part(heading))
        found[-1].lines.append(line)
        headings.append((above, name))
        if isinstance(line.event, e.Rewound):
            above, name = headings[line.event.to - 1]
    return found


def prose(rules: Rules, story: Sequence[Part]) -> str:
    """A story as plain text."""
    text = [_underlined(rules.presentation.title, "=")]
    for part in story:
        if part.is_telling:
            text.append(_underlined(part.heading, "-"))
            text += [
                textwrap.fill(paragraph, WIDTH, break_on_hyphens=False)
                for paragraph in _paragraphs(rules, part.lines)
                if paragraph
            ]
    return "\n\n".join(text) + "\n"


def _paragraphs(rules: Rules, told: Sequence[Line]) -> Iterator[str]:
    """Scene by scene; what the table agrees on stands apart from the game."""
    scene: list[str] = []
    aside = False
    for line in told:
        if type(line.event) in rules.presentation.narrative.scenes or isinstance(line.event, KEPT) != aside:
            yield " ".join(scene)
            scene, aside = [], isinstance(line.event, KEPT)
        scene += [_capital(line.text)] if line.text else []
    yield " ".join(scene)


def listed(told: Sequence[Line]) -> str:
    """Lines as plain text, each with the number of its event."""
    wide = max((len(str(line.version)) for line in told), default=1)
    return "".join(
        textwrap.fill(
            _capital(line.text),
            WIDTH,
            initial_indent=f"{line.version:>{wide}}  ",
            subsequent_indent=" " * (wide + 2),
            break_on_hyphens=False,
        )
        + "\n"
        for line in told
        if line.text
    )


def _with_names(
    connection: Connection, rules: Rules, chairs: list[Chair], events: Sequence[Event]
) -> Iterator[tuple[Event, list[str]]]:
    """Each event, and what to call who sits at each seat when it happens."""
    came = [event.player for event in events if isinstance(event, e.SeatTaken | e.SeatTakenOver)]
    known = names_of(connection, {player for player in [*(chair.player for chair in chairs), *came] if player})
    table = Table(chairs=chairs)
    names = _names(rules, table, known)
    for event in events:
        if isinstance(event, SEATING):
            before = names
            HANDLERS[type(event)](table, rules, event)
            names = _names(rules, table, known)
            yield event, before if isinstance(event, LEAVING) else names
        else:
            yield event, names


def _names(rules: Rules, table: Table, known: dict[str, str]) -> list[str]:
    """By seat: the player's name, what a person is called who is gone, and what a bot and an empty seat."""
    return [called(rules, seat, chair, known.get(chair.player or "")) for seat, chair in enumerate(table.chairs)]


def _sentence(rules: Rules, event: Event, names: Sequence[str]) -> str:
    """What an event tells in a story: what is sealed too, where it is known."""
    match event:
        case e.GameOpened(seats=seats):
            return say("A table for {seats} has been opened.", seats=seats)
        case e.SeatLeft(seat=seat):
            return say("{player} stands up.", player=names[seat])
        case e.Rewound(seat=seat, to=to, agreed=[_, *_] as agreed):  # why, was said when it was asked for
            return say(
                "The game goes back to version {to}, as {player} asked; {others} agreed.",
                player=names[seat], to=to, others=everybody(agreed, names),
            )  # fmt: skip
        case e.GameFinished(reason=None) if rules.presentation.narrative.tells_end:
            return ""
        case e.OrdersFiled(seat=seat, orders=orders) if orders is not None and rules.standing_orders is not None:
            text = rules.standing_orders.write(msgspec.convert(orders, rules.standing_orders.form))
            return say("{player} orders ahead: {orders}.", player=names[seat], orders=_quoted(text, rules, names))
    if type(event) in rules.decider.evolve:
        return rules.presentation.narrative.tell_with_sealed(event, names) or rules.presentation.tell(event, names)
    return tell(rules, event, names)


def _quoted(orders: str, rules: Rules, names: Sequence[str]) -> str:
    """Orders in one line, with the words that people at the table type for each other; a pawn for who is gone."""
    known = [None if isinstance(name, Sentence) else name for name in names]  # nobody typed it
    handle = dict(zip(rules.notation.pawns, handles(known, rules), strict=False))
    return "; ".join(
        " ".join(handle.get(word, word) for word in line.split(" ")) for line in orders.strip().splitlines()
    )


def _capital(text: str) -> str:
    """Sentences that begin with a capital, except with a name, which stays as it is written."""
    return NOBODY.sub(r"\1A former player (", text)


def _underlined(text: str, sign: str) -> str:
    return f"{text}\n{sign * len(text)}"
