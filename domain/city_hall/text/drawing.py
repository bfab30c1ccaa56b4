"""A view as plain text, for a player who has only this: lines of at most 78 characters, in any language.

The map is drawn after the printed board; what is adjacent in a game that was started on another one, its guide says.
"""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final

from domain.city_hall.rules.board import BOARD, Endorsement, reconstructed
from domain.city_hall.rules.pieces import PAWNS
from domain.city_hall.rules.surveyor import land_price
from domain.city_hall.rules.words import (
    THE_OFFICES,
    TITLES,
    WORDS,
    amount_of_influence,
    clauses,
    dollars,
    listed,
    permits_named,
    signed_price,
)
from domain.engine.game import View
from domain.engine.sentences import Sentence, Words, one_of, row, say, say_in, say_n

WIDTH: Final = 78
CELL: Final = 15
LABEL: Final = 3
"""Letters of a pawn on the map."""
TITLE: Final = 21
"""Room for the title of an Office; a language may need one or two more."""
TYPED: Final = 11
"""Room for the word to type for it, more where a language needs it."""
PLAYER: Final = 20
"""Room for a name beside an Office."""
NAME: Final = 16
"""Room for a name in the table of seats."""
PAWN: Final = 7
"""Room for a pawn there, more where a language needs it."""
SHORT: Final[dict[str, Sentence]] = {
    "housing": say_in("short", "hou"),
    "tower": say_in("short", "tow"),
    "factory": say_in("short", "fac"),
    "park": say_in("short", "park"),
}
"""The Permits on the map, in at most four letters."""
COLUMNS: Final[tuple[tuple[str, Sentence, int], ...]] = (
    ("money", say_in("column", "money"), 6),
    ("influence", say_in("column", "Infl."), 5),
    ("hand_count", say_in("column", "hand"), 4),
    ("approval", say_in("column", "approval"), 4),
    ("rating", say_in("column", "rating"), 3),
    ("population", say_in("column", "population"), 4),
    ("stars", say_in("column", "stars"), 4),
)
"""What the table tells of each seat: the member of the view, the label, the least width."""
COUNTED: Final[dict[str, Sentence]] = {
    "money": say("money"),
    "influence": say("Influence"),
    "hand": say("Permits in hand"),
    "population": say("population"),
    "approval": say("approval"),
    "land": say("spaces"),
    "built": say("Permits"),
    "buildings": say("buildings"),
    "stars": say("stars"),
}
"""What an Endorsement counts (CH-12.3), but for the kinds of Permit."""
CARDS: Final[dict[str, Sentence]] = {
    card: card
    for card in (
        say("Wall Street"),
        say("Party Machine"),
        say("Tenants' League"),
        say("Chamber of Commerce"),
        say("Factory Workers"),
        say("Park Friends"),
        say("Queens Club"),
        say("Brooklyn Club"),
        say("Manhattan Club"),
    )
}
"""The names of the Endorsements on the board new games are played on."""


def endorsements() -> list[Sentence]:
    """Say what the Endorsements count, those whose metric is reconstructed apart (CH-12.2)."""
    marked = [_sought(card) for card in BOARD.endorsements if is_reconstructed(card)]
    sought = [_sought(card) for card in BOARD.endorsements if not is_reconstructed(card)]
    texts = [say("Endorsements (votes for whoever has most): {cards}.", cards=row(sought, ", "))] if sought else []
    return texts + [say("Endorsements, reconstructed (CH-12.2): {cards}.", cards=row(marked, ", "))] * bool(marked)


def endorsement_names() -> dict[str, Sentence]:
    """Return the names of the Endorsements by id, with a mark if they are reconstructed (CH-12.2)."""
    names = {card.id: CARDS.get(card.name) or row([card.name]) for card in BOARD.endorsements}
    marked = {card.id for card in BOARD.endorsements if is_reconstructed(card)}
    return {id: say("{card} (reconstructed)", card=name) if id in marked else name for id, name in names.items()}


def is_reconstructed(endorsement: Endorsement) -> bool:
    """Return whether no source was found for what an Endorsement counts."""
    return f"endorsement.{endorsement.id}.metric" in reconstructed()


def board(view: View, words: Words = str) -> str:
    """The whole position: the map, Offices, seats, decks, and what is asked."""
    drawing = _Drawing(view, words)
    blocks = [
        drawing.title(), drawing.map(), drawing.offices(), drawing.seats(), drawing.decks(), drawing.asked()
    ]  # fmt: skip
    return "\n\n".join("\n".join(line.rstrip() for line in block) for block in map(list, blocks)) + "\n"


class _Drawing:
    """One view being drawn, block by block, for a reader of one language."""

    def __init__(self, view: View, words: Words) -> None:
        self.view = view
        self.words = words

    def wrapped(self, text: str, before: str = "", after: str = "  ") -> list[str]:
        """A text in lines: what stands before the first of them, and before the others."""
        return textwrap.wrap(before + self.words(text), WIDTH, subsequent_indent=after)

    def name(self, seat: int) -> str:
        return str(self.view["seats"][seat]["name"])

    def names(self, seats: list[int]) -> str:
        return ", ".join(map(self.name, seats))

    def title(self) -> Iterator[str]:
        number, final = self.view["round"], self.view["final"] and self.view["phase"] != "over"
        when = say("Round {round}", round=number) if number else say("Setup")
        if final:
            when = say("Round {round}, the final round", round=number)
        yield f"CITY HALL   {self.words(when)}"
        if self.view["turn_order"]:
            yield from self.wrapped(say("Turn order: {order}", order=self.names(self.view["turn_order"])))

    def map(self) -> Iterator[str]:
        for name, borough in BOARD.boroughs.items():
            yield self.words(_borough(name.capitalize(), borough.star_bonus))
            rows = list(borough.grid)
            if all(len(cells) == 1 for cells in rows):
                rows = [tuple(cell for cells in rows for cell in cells)]
            for cells in rows:
                yield "  " + "".join(f"{self.space(land):<{CELL}}" for land in cells)
        bridges = ", ".join(f"{land}-{other}" for land, other in BOARD.bridges)
        yield from self.wrapped(say("Bridges: {bridges}.", bridges=bridges))
        key = say(
            "Sides and corners touch; Manhattan is one column. Owner's pawn, Permit and Star Value; "
            "a dot: in the Land deck."
        )
        yield from self.wrapped(key, after="")
        yield from self.wrapped(_offers(self.view["phase"]), after="")

    def space(self, land: str) -> str:
        if not land:
            return ""
        space: Mapping[str, Any] = self.view["lands"][land]
        match space["state"]:
            case "deck":
                return f"{land} ."
            case "available":
                return f"{land} {self.words(self.offer(space['money']))}"
            case _:
                pawn = self.words(WORDS[PAWNS[space["owner"]]])[:LABEL]
                permit = self.words(SHORT.get(space["permit"], "-"))
                stars = "" if space["stars"] is None else f" {space['stars']}*"
                return f"{land} {pawn} {permit}{stars}"

    def offer(self, money: int) -> Sentence:
        """The price of an available space; when the game is over, the money left on it."""
        over = self.view["phase"] == "over"
        return dollars(money) if over else signed_price(land_price(self.view["phase"], money))

    def offices(self) -> Iterator[str]:
        titles = {office: self.words(TITLES[office]) for office in self.view["offices"]}
        width = max(TITLE, *(len(title) + 1 for title in titles.values()))
        office, word, lying = self.words(say("Office")), self.words(say("word")), self.words(say("Influence on it"))
        typed = {name: self.words(WORDS[name]) for name in titles}
        wide = max(TYPED, *(len(name) + 1 for name in typed.values()))
        yield f"{office:<{width + 2}}{word:<{wide}}{lying:<18}{self.words(say('Staffer'))}"
        for office, chair in self.view["offices"].items():
            who = "-" if chair["staffer"] is None else self.name(chair["staffer"])
            mark = ">" if office == self.view["office"] else " "
            count = str(chair["influence"] or ".")
            yield f"{mark} {titles[office]:<{width}}{typed[office]:<{wide}}{count:>9}         {who[:PLAYER]}"

    def seats(self) -> Iterator[str]:
        labels = [(member, self.words(label), least) for member, label, least in COLUMNS]
        widths = {member: max(least, len(label) + 1) for member, label, least in labels}
        pawns = [self.words(WORDS[pawn]) for pawn in PAWNS]
        pawn = max(PAWN, *(len(word) + 1 for word in pawns))
        head = "".join(f"{label:>{widths[member]}}" for member, label, _ in labels)
        yield f"  {self.words(say('player')):<{NAME}} {self.words(say('pawn')):<{pawn}}{head}"
        for seat, player in enumerate(self.view["seats"]):
            mark = ">" if seat in self.view["active"] else " "
            cells = "".join(f"{self.words(_cell(member, player[member])):>{width}}" for member, width in widths.items())
            yield f"{mark} {player['name'][:NAME]:<{NAME}} {pawns[seat]:<{pawn}}{cells}"
        for player in self.view["seats"]:
            yield from self.hand(player)
        if self.view["phase"] != "over":
            key = say("Hand: number of Permits. Approval: space of 10. “?”: hidden from you.")
            yield from self.wrapped(key, after="")

    def hand(self, player: Mapping[str, Any]) -> Iterator[str]:
        """What a seat has, where the reader may know."""
        if player["hand"] is None:
            return
        if self.view["phase"] == "over":
            has = say("{name} has in hand: {permits}.", name=player["name"], permits=listed(player["hand"]))
        else:
            has = say(
                "You, {name}, have ${money}, {influence}; in hand: {permits}.",
                name=player["name"],
                money=player["money"],
                influence=amount_of_influence(player["influence"]),
                permits=listed(player["hand"]),
            )
        yield from self.wrapped(has)

    def decks(self) -> Iterator[str]:
        view = self.view
        yield self.words(say("The Star Token is on space {space} of 10.", space=view["star_token"]))
        if not view["final"]:
            last = say("A round that begins with it or any Staffer on space 10 is the final one.")
            yield from self.wrapped(last, after="")
        lands, permits = _cards(view["land_deck_count"]), _cards(view["permit_deck_count"])
        yield from self.wrapped(say("Land deck: {lands}. Permit deck: {permits}.", lands=lands, permits=permits))
        if view["deputy"] is not None:
            yield from self.controls(view["deputy"], "deputy")
        if view["revealed"]:
            yield from self.wrapped(say("Revealed Permits: {permits}.", permits=permits_named(view["revealed"])))
        if view["phase"] != "over":
            for text in endorsements():
                yield from self.wrapped(text)

    def controls(self, seat: int, office: str) -> list[str]:
        return self.wrapped(say("{name} controls {office}.", name=self.name(seat), office=THE_OFFICES[office]))

    def asked(self) -> Iterator[str]:
        view = self.view
        if view["phase"] == "over":
            yield from self.votes()
            return
        if view["bidding"]:
            yield from self.auction()
        elif view["controller"] is not None:
            yield from self.controls(view["controller"], view["office"])
        for seat in view["active"]:
            yield from self.wrapped(_task(view["phase"], self.name(seat)))
        if not view["active"]:
            yield self.words(say("The game goes on by itself."))
        rest = view["schedule"][view["turn"] + 1 :]
        if rest:
            yield from self.wrapped(say("Then to activate an Office this round: {order}.", order=self.names(rest)))

    def auction(self) -> Iterator[str]:
        """Who activated what, and the bids so far."""
        office, bidding = self.view["office"], self.view["bidding"]
        activator = self.name(self.view["offices"][office]["staffer"])
        yield from self.wrapped(
            say("{name} has put a Staffer on {office}.", name=activator, office=THE_OFFICES[office])
        )
        bids = [
            say("{name} passes", name=self.name(seat))
            if amount is None
            else say("{name} bids {influence}", name=self.name(seat), influence=amount)
            for seat, amount in bidding["bids"]
        ]
        told = clauses(bids) if bids else say_in("bids", "none")
        yield from self.wrapped(say("Bids so far: {bids}. High bid: {high}.", bids=told, high=bidding["high"]))
        if bidding["waiting"]:
            waiting = one_of([self.name(seat) for seat in bidding["waiting"]])
            yield from self.wrapped(say("Still to answer: {players}.", players=waiting))

    def votes(self) -> Iterator[str]:
        """The votes line by line, best first."""
        result = self.view["result"]
        yield from self.wrapped(
            say("The game is over. Votes: Approval Rating x Population, and Endorsements."), after=""
        )
        for seat in sorted(range(self.view["players"]), key=lambda seat: -int(result["votes"][seat])):
            it = self.view["seats"][seat]
            won = _won(result["endorsements"], seat)
            votes = say(
                "{name}: {votes} ({rating} x {population} = {base}; {cards})",
                name=it["name"],
                votes=result["votes"][seat],
                rating=it["rating"],
                population=it["population"],
                base=result["base_votes"][seat],
                cards=row(won, ", ") if won else say("no Endorsement"),
            )
            yield from self.wrapped(votes, before="  ", after="    ")
        nobody = _won(result["endorsements"], None)
        if nobody:
            yield from self.wrapped(say("Won by nobody: {cards}.", cards=row(nobody, ", ")))
        yield from self.wrapped(say("{name} is Mayor.", name=self.name(result["mayor"])))


def _borough(name: str, stars: int) -> str:
    return say("{borough} (+{stars} star for each Building)", borough=name, stars=stars) if stars else name


def _offers(phase: str) -> Sentence:
    """Say what the amounts on available spaces mean (CH-4.3, CH-8.11)."""
    match phase:
        case "draft":
            return say("+$: available; you get this money with the space.")
        case "over":
            return say("$: not taken, with the money left on it.")
        case _:
            return say(
                "$: available; the Surveyor sells it at this price, $20 less the money on it; +$: you get the rest."
            )


def _cell(member: str, value: Any) -> str:
    """A number of the table; "?" for what is not for the reader's eyes."""
    return "?" if value is None else dollars(value) if member == "money" else str(value)


def _cards(count: int) -> Sentence:
    return say_n("{count} card", "{count} cards", count)


def _sought(endorsement: Endorsement) -> Sentence:
    """What an Endorsement counts, and its votes."""
    name, _, part = endorsement.metric.partition(":")
    if name == "permit":
        return row([WORDS[part], endorsement.votes], " ")
    counted = COUNTED[name]
    if part:
        counted = say("{what} in {borough}", what=counted, borough=part.capitalize())
    return row([counted, endorsement.votes], " ")


def _won(endorsements: Mapping[str, int | None], by: int | None) -> list[str]:
    """The cards a seat won, or nobody."""
    names = endorsement_names()
    return [names.get(card, card) for card, winner in endorsements.items() if winner == by]


def _task(phase: str, name: str) -> Sentence:
    """What a player is to do."""
    match phase:
        case "draft":
            return say("{name} has to draft a space.", name=name)
        case "build":
            return say("{name} has to place an initial Building.", name=name)
        case "activate":
            return say("{name} has to put a Staffer on an Office.", name=name)
        case "bid":
            return say("{name} has to bid or pass.", name=name)
        case "decide":
            return say("{name} has to keep the Office or accept a bid.", name=name)
        case _:
            return say("{name} has to carry out its action.", name=name)
