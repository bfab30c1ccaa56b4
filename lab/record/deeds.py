"""Deeds of people at a recorded table: moves by every channel, and all that happens around them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import msgspec

from domain.engine.game import Action, Seat
from domain.table.proposals import missing
from domain.tammany_hall import TAMMANY_HALL
from lab.record.recipes import Person
from lab.record.table import RecordedTable
from service.kernel.clock import moment
from service.store.event_store.streams import Head
from tests.archive.orders import CITY, TAMMANY

LINES: Final = (
    "Who takes this one?", "Gut gespielt, <b>alle</b>!", "à bientôt, l’élection approche", "No. & never; 100%", "ok",
)  # fmt: skip
MAILS: Final = ("help", "status", "legal", "history", "board", "undo", "xyzzy 3", "say hello to all", "orders", "yes")
SPANS: Final = ("P1D", "PT12H", "P2D")
LATECOMERS: Final = (Person("fay", "http", "fr", "UTC"), Person("gus", "mail", "de", "Europe/Paris"))


def begin(table: RecordedTable) -> None:
    """Let everybody sit down, by API or page; with one seat free if the host starts early."""
    host, *others = table.recipe.people
    for person in others[: len(others) - table.recipe.starts_early]:
        table.work()
        if person.channel == "page":
            table.submit(person.name, "seats")
        elif person.channel == "http" or not table.write(person.name, "join"):
            table.ask("POST", "seats", person.name, {} if table.chance.random() < 0.5 else {"nonce": "n" * 20})
        table.work()
        table.look()
    if table.head().table.status == "open":
        table.ask("POST", "start", host.name)


def play(table: RecordedTable) -> None:
    """Play a game to its end, or to the limit of its recipe."""
    begin(table)
    for _ in range(table.recipe.most):
        head = table.head()
        if head.table.status != "running":
            break
        table.clock.advance(minutes=table.chance.randint(1, 90))
        if table.chance.random() < table.recipe.trouble:
            _deed(table, head)
        else:
            _move(table, head)
        table.work()
        _vote(table)
        table.look()
    table.close()


def _move(table: RecordedTable, head: Head) -> None:
    """Let somebody who is asked act, by the channel they like; time passes if only the absent are asked."""
    seated = table.seats(head)
    asked = [seat for seat in sorted(head.rules.decider.awaiting(head.table.game)) if seat in seated]
    if not asked:
        table.clock.advance(days=4)
        return
    seat = table.chance.choice(asked)
    action = table.recipe.choose(table.chance, head.rules, head.rules.decider.blind(head.table.game, seat), seat)
    _act(table, head, seat, action)


def _act(table: RecordedTable, head: Head, seat: Seat, action: Action) -> None:
    person, text = table.people[table.seats(head)[seat]], head.rules.notation.write(action)
    match person.channel if table.chance.random() < 0.8 else "http":
        case "mail" if table.write(person.name, text):
            return
        case "page":
            table.submit(person.name, "moves", text=text, play="1")
            return
    document = msgspec.to_builtins(action)
    if type(action).__name__ == "Bid":
        table.ask("POST", "bids", person.name, {name: it for name, it in document.items() if name != "type"})
        return
    body = {"actions": [document]} if table.chance.random() < 0.3 else {"text": text}
    if table.chance.random() < 0.1:
        table.ask("POST", "moves?dry_run=1", person.name, body)
    table.ask("POST", "moves", person.name, body, **{"If-Match": f'"{head.version}"'})


def _vote(table: RecordedTable) -> None:
    """Let those who are asked about a proposal answer it, unless they wait."""
    while (proposal := (head := table.head()).table.proposal) is not None and table.chance.random() < 0.8:
        asked = [seat for seat in missing(head.table, proposal) if seat in table.seats(head)]
        if not asked:
            return
        person, agrees = table.people[table.seats(head)[asked[0]]], table.chance.random() < 0.75
        what = "rewind" if proposal.what == "rewind" else "clock"
        match person.channel:
            case "mail" if table.write(person.name, "agree" if agrees else "refuse"):
                pass
            case "page":
                table.submit(person.name, "vote", what=what, answer="agree" if agrees else "refuse")
            case _:
                table.ask("POST", f"{what}/vote", person.name, {"agree": agrees})
        table.work()
        if table.head().version == head.version:
            return


Deed = Callable[[RecordedTable, Head, Seat, Person], Any]


def _deed(table: RecordedTable, head: Head) -> None:
    """Let somebody do something else than a move."""
    seats = table.seats(head)
    if not seats:
        table.clock.advance(days=4)
        return
    seat = table.chance.choice(sorted(seats))
    table.chance.choice(DEEDS)(table, head, seat, table.people[seats[seat]])


def _undo(table: RecordedTable, head: Head, seat: Seat, person: Person) -> None:
    reason = table.chance.choice(("slip", "misread", "agreed", "lapse"))
    to = max(1, head.version - table.chance.randrange(1, 20)) if table.chance.random() < 0.4 else None
    match person.channel:
        case "mail" if table.write(person.name, "undo"):
            return
        case "page":
            table.submit(person.name, "back", reason=reason, to=str(to or ""))
        case _:
            table.ask("GET", "rewind", person.name)
            table.ask("POST", "rewind", person.name, {"reason": reason, **({} if to is None else {"to": to})})


def _stop_clock(table: RecordedTable, head: Head, seat: Seat, person: Person) -> None:
    what = "resume" if head.table.paused else table.chance.choice(("pause", "extend"))
    match person.channel:
        case "mail" if table.write(person.name, what if what == "resume" else f"{what} 1 day"):
            return
        case "page":
            table.submit(person.name, "clock", propose=what, number="12", unit="H")
        case _:
            span = {} if what == "resume" else {"for": table.chance.choice(SPANS)}
            table.ask("POST", "clock", person.name, {"propose": what, **span})


def _order_ahead(table: RecordedTable, head: Head, seat: Seat, person: Person) -> None:
    text = table.chance.choice(TAMMANY if head.rules is TAMMANY_HALL else CITY)
    if seat in head.table.orders and table.chance.random() < 0.5:
        table.ask("DELETE", "orders", person.name)
    elif person.channel == "mail" and table.write(person.name, "orders\n" + text):
        return
    else:
        table.ask("PUT", "orders", person.name, {"text": text})


def _talk(table: RecordedTable, head: Head, seat: Seat, person: Person) -> None:
    line = table.chance.choice(LINES)
    match person.channel:
        case "mail" if table.write(person.name, f"say {line}"):
            return
        case "page":
            table.submit(person.name, "talk", text=line, to="")
        case _:
            to = table.chance.choice((None, *range(len(head.table.chairs))))
            said = table.ask("POST", "messages", person.name, {"text": line, "to": to})
            if said.status == 201 and table.chance.random() < 0.3:
                table.ask("DELETE", f"messages/{said.json['id']}", person.name)


def _bid_again(table: RecordedTable, head: Head, seat: Seat, person: Person) -> None:
    """Replace a sealed bid where there is one, else try to bid out of turn."""
    if head.table.game.phase != "bid":
        _talk(table, head, seat, person)
        return
    asked = head.rules.decider.awaiting(head.table.game)
    done = [name for number, name in sorted(table.seats(head).items()) if number not in asked]
    empty = {"chips": {}} if head.rules is TAMMANY_HALL else {"influence": 1}
    table.ask("POST", "bids", table.chance.choice(done) if done else person.name, empty)


def _miss_deadline(table: RecordedTable, head: Head, seat: Seat, person: Person) -> None:
    table.clock.advance(days=table.chance.choice((1, 3, 5)), hours=1)


def _give_up(table: RecordedTable, head: Head, seat: Seat, person: Person) -> None:
    """Leave the game, or let a bot or a latecomer take a vacant seat."""
    vacant = [number for number, chair in enumerate(head.table.chairs) if chair.vacant]
    if not vacant and len(table.seats(head)) > 1 and table.chance.random() < 0.4:
        table.ask("DELETE", "seats/me", person.name)
    elif vacant and table.chance.random() < 0.4:
        table.ask("PUT", f"seats/{vacant[0]}/bot", person.name, {"strength": 0, "temper": "even"})
    elif vacant:
        latecomer = table.chance.choice(LATECOMERS)
        if latecomer.name not in table.people:
            table.arrive(latecomer)
        table.ask("POST", "seats", latecomer.name, {})


def _go_away(table: RecordedTable, head: Head, seat: Seat, person: Person) -> None:
    first = moment(table.clock.now()).date() + timedelta(days=2)
    leave = {"from": first.isoformat(), "to": (first + timedelta(days=3)).isoformat()}
    table.api.send("PUT", "/me/leave", table.player(person.name), json=leave)


def _note(table: RecordedTable, head: Head, seat: Seat, person: Person) -> None:
    if person.channel == "page":
        table.submit(person.name, "note", note="remember\nthe garden")
    else:
        table.ask("PUT", "note", person.name, {"text": "remember\nthe garden"})


def _mistake(table: RecordedTable, head: Head, seat: Seat, person: Person) -> None:
    """Send what is refused: out of turn, too late, unreadable."""
    match table.chance.randrange(5):
        case 0:
            table.ask("POST", "moves", person.name, {"text": "place 99 99"})
        case 1:
            table.ask("POST", "moves", person.name, {"text": "pass"}, **{"If-Match": '"1"'})
        case 2:
            table.ask("POST", "moves", person.name, {"txt": 1})
        case 3:
            table.ask("GET", "", "fay") if "fay" in table.people else table.api.get(f"/games/{table.game}x")
        case _:
            table.submit(person.name, "moves", text="place 99 99\nend", play="1")


def _write_mail(table: RecordedTable, head: Head, seat: Seat, person: Person) -> None:
    table.write(person.name, table.chance.choice(MAILS))


def _try_draft(table: RecordedTable, head: Head, seat: Seat, person: Person) -> None:
    seen, text = head.rules.decider.blind(head.table.game, seat), ""
    if seat in head.rules.decider.awaiting(head.table.game):
        text = head.rules.notation.write(head.rules.decider.caretaker(seen, seat))
    if person.channel == "page":
        table.submit(person.name, "draft", text=text, check="1")
    else:
        table.ask("POST", "drafts", person.name, {"text": text})


DEEDS: Final[tuple[Deed, ...]] = (
    _undo, _undo, _stop_clock, _order_ahead, _order_ahead, _talk, _talk, _bid_again, _bid_again, _miss_deadline,
    _miss_deadline, _give_up, _go_away, _note, _mistake, _write_mail, _try_draft,
)  # fmt: skip
