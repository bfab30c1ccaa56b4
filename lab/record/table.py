"""One table of a record: people who speak to a whole service in this process, and all that it says to them."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

from werkzeug.datastructures import Headers
from werkzeug.test import TestResponse

from config.settings import load
from domain.engine.canonical import canonical
from domain.engine.game import Seat
from lab.record.recipes import Person, Recipe
from lab.record.shelf import Shelf, describe
from lab.seeded import SeededEntropy
from service.container import Services, assemble
from service.store.event_store.streams import Head
from tests.apps import app_of, give_back
from tests.letters import parsed, text_of
from tests.manual_clock import ManualClock
from tests.service.api.table import Answer, Api, Player
from tests.service.store.service_tables import _tables
from tests.service.web.browser import Browser, Page
from tests.tables import SETTINGS, Tables
from tests.thinking import think_all

EVERY: Final = 24
"""Pages and pictures are fetched at each such version."""
MAIL: Final = {name: value for name, value in SETTINGS.items() if name != "BASE_URL"}
EXPIRES: Final = re.compile("(?<=; )Expires=[^;]*; ")
ON_PAGES: Final = {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}


class RecordedApi(Api):
    """The API, whose answers are kept."""

    shelf: Shelf
    moment: str = "before"

    def send(
        self,
        method: str,
        path: str,
        who: Player | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> Answer:
        """Ask, and keep the answer."""
        answer = super().send(method, path, who, headers=headers, **more)
        name = f"{self.moment} {method} {path} {who.name if who else '-'} {describe(more.get('json'))}".rstrip()
        self.shelf.put("answer", name, answer.data, answer.status, _headers(answer.headers))
        return answer


class RecordedTable:
    """A game of a recipe, from its opening on."""

    def __init__(self, services: Services, clock: ManualClock, recipe: Recipe, chance: Random) -> None:
        self.services, self.recipe, self.chance, self.shelf = services, recipe, chance, Shelf()
        self.clock, self.app = clock, app_of(services)
        self.mail = Tables(services, clock)
        self.api = RecordedApi(services, app=self.app, domain="people.example")
        self.api.shelf = self.shelf
        self.silent = Api(services, app=self.app, domain="people.example")
        self.people: dict[str, Person] = {}
        self.browsers: dict[str, Browser] = {}
        self.tokens: dict[str, str] = {}
        self.stranger = Browser(services, app=self.app)
        self.letters = self.shown = 0
        for person in recipe.people:
            self.arrive(person)
        opening = {"ruleset": recipe.rules.kind, "name": "Record", **recipe.terms}  # not one made of the id
        self.game: str = self.api.post("/games", self.player(recipe.people[0].name), opening).ok(201).json["id"]

    # -- people

    def arrive(self, person: Person) -> None:
        """Make a person known to the service."""
        self.people[person.name] = person
        self.mail.ids[person.name] = self.silent.player(person.name).id
        wishes = {"language": person.language, "timezone": person.zone, "mail": person.reads_mail}
        self.mail.change_profile(person.name, **wishes)

    def player(self, name: str) -> Player:
        """The token of a person."""
        return self.silent.player(name)

    def seats(self, head: Head) -> dict[Seat, str]:
        """The people at the table, by seat."""
        names = {id: name for name, id in self.mail.ids.items()}
        return {
            seat: names[chair.player]
            for seat, chair in enumerate(head.table.chairs)
            if chair.player in names and not chair.vacant
        }

    def head(self) -> Head:
        """The head of the game."""
        return self.mail.head(self.game)

    # -- channels

    def ask(self, method: str, below: str, who: str | None, json: Any = None, **headers: str) -> Answer:
        """Ask the API about the game, as somebody or as a stranger."""
        path = f"/games/{self.game}/{below}".rstrip("/").replace("/?", "?")
        player = None if who is None else self.player(who)
        return self.api.send(method, path, player, headers=headers, **({} if json is None else {"json": json}))

    def write(self, name: str, text: str) -> bool:
        """Reply to the newest mail of a person. Returns False if there is none."""
        if not self.mail.letters_to(name):
            return False
        self.mail.reply(name, text)
        return True

    def submit(self, name: str, below: str, **fields: str) -> None:
        """Send a form of the game's page, and keep the page that answers it."""
        browser = self._browser(name)
        key = f"{self.chance.getrandbits(128):032x}"
        filled = {"csrf": self.tokens[name], "version": str(self.head().version), "key": key, **fields}
        address = f"/g/{self.game}/{below}"
        answer = browser.client.post(address, data=filled, headers={**browser.headers, **ON_PAGES})
        self._keep_page(f"{self.api.moment} POST {address} {name} {describe(fields)}", answer)

    def fetch(self, address: str, name: str | None) -> None:
        """Fetch a page, and keep it."""
        browser = self._browser(name) if name else self.stranger
        answer = browser.client.get(address, headers=browser.headers)
        self._keep_page(f"{self.api.moment} GET {address} {name or '-'}", answer)

    def _browser(self, name: str) -> Browser:
        if name not in self.browsers:
            browser = Browser(self.services, self.mail.ids[name], language=self.people[name].language, app=self.app)
            page: Page = browser.get("/me")
            self.browsers[name] = browser
            self.tokens[name] = next(form.fields["csrf"] for form in page.forms if "csrf" in form.fields)
        return self.browsers[name]

    def _keep_page(self, name: str, answer: TestResponse) -> None:
        self.shelf.put("page", name, answer.data, answer.status_code, _headers(answer.headers))

    # -- the service at work

    def work(self) -> None:
        """Let mail come and go, bots think, and deadlines pass."""
        self.mail.sweep()
        self.mail.exchange()
        if any(chair.thinks for chair in self.head().table.chairs):
            think_all(self.services)
            self.mail.deliver()
        self.api.moment = f"version {self.head().version:03}"
        for letter in self.mail.carrier.letters[self.letters :]:
            kind = letter.message_id.strip("<").partition(".")[0]
            self.shelf.put("mail", f"{self.api.moment} {kind} to {letter.to}", letter.data)
        self.letters = len(self.mail.carrier.letters)

    def look(self) -> None:
        """Keep what a spectator or somebody seated reads of the game now; now and then pages and pictures."""
        head = self.head()
        before, self.shown = self.shown, head.version
        if head.version == before:
            return
        seated = sorted(self.seats(head).values())
        self.ask("GET", "", self.chance.choice([None, *seated]))
        if head.version // EVERY > before // EVERY and seated:
            self.look_closer(head, self.chance.choice(seated))

    def look_closer(self, head: Head, name: str) -> None:
        """Keep pages, pictures and the less common answers about the game as it is now."""
        for address in (
            f"/g/{self.game}",
            self.chance.choice((f"/g/{self.game}/text", "/me/games", "/turns", "/tables")),
        ):
            self.fetch(address, name)
        self.fetch(f"/g/{self.game}", None)
        reads = "actions board board.svg clock messages orders notices rewind story note checkpoint events"
        self.ask("GET", self.chance.choice(reads.split()), name)
        self.ask("GET", f"?version={self.chance.randint(1, head.version)}", name)
        if self.chance.random() < 0.3:
            self.fetch(f"/g/{self.game}/orders", name)

    def keep_positions(self) -> None:
        """Keep the position of every seat and of spectators after every event."""
        with self.services.database.read() as connection:
            head = self.services.streams.head(connection, self.game)
            streams = self.services.streams
            events = list(streams._typed(connection, self.game, head.rules, 0, head.version, lambda *_: True))
        for version, table in enumerate(_tables(head.rules, events), 1):
            for seat in (None, *range(len(table.chairs))) if table.game is not None else ():
                document = canonical(head.rules.decider.view(table.game, seat))
                who = "spectator" if seat is None else f"seat {seat}"
                self.shelf.put("position", f"version {version:03} {who}", document)

    def close(self) -> None:
        """Keep the positions, the exports, and what is only said about a game as a whole."""
        self.keep_positions()
        self.api.moment, head = "end", self.head()
        seated = sorted(self.seats(head).items())
        ndjson = {"Accept": "application/x-ndjson"}
        for label, who in [("spectator", None), *((f"seat {seat}", self.player(name)) for seat, name in seated)]:
            answer = self.silent.get(f"/games/{self.game}/events", who, headers=ndjson)
            self.shelf.put("export", f"{head.table.status} {label}", answer.data, answer.status)
        name = seated[0][1] if seated else self.recipe.people[0].name
        for below in ("events", "story", "statistics", "notices", "audit"):
            self.ask("GET", below, name)
        for below in ("", "/statistics", "/statistics.json", "/check"):
            self.fetch(f"/g/{self.game}{below}", name)
            self.fetch(f"/g/{self.game}{below}", None)
        self.fetch(f"/p/{self.mail.ids[name]}", None)
        self.fetch("/games", None)


def _headers(headers: Headers) -> list[tuple[str, str]]:
    """Return the headers without the two times that Werkzeug takes from the clock of the machine."""
    return [(key, EXPIRES.sub("", value)) for key, value in headers.items() if key != "Date"]


def stand_in_png(_services: Services, _game: str, _seat: Seat | None, svg: str, *_: int) -> bytes:
    """Return a digest of the drawing instead of a picture: drawing it takes longer than everything else."""
    return b"\x89PNG of " + sha256(svg.encode()).hexdigest().encode()


@contextmanager
def recorded_table(template: Path, folder: Path, recipe: Recipe, chance: Random, seed: str) -> Iterator[RecordedTable]:
    """A table over a copy of a migrated database, in a folder of its own."""
    file = folder / "game.sqlite"
    file.write_bytes(template.read_bytes())
    given = {"DATABASE_URL": f"sqlite:///{file}", "DATA_DIR": str(folder / "data"), "SECRET_KEY": "k" * 32}
    given |= {"RATE_LIMITS": "off", "MAIL_WINDOW": "PT0S", "UNDO_SECONDS": "0", **MAIL}
    clock = ManualClock()
    settings = load({f"WARDROOM_{name}": value for name, value in given.items()})
    services = assemble(settings, clock=clock, entropy=SeededEntropy(seed), durable=False)
    try:
        with patch("workers.letters.board_picture.shared_png", stand_in_png):
            table = RecordedTable(services, clock, recipe, chance)
            yield table
            give_back(table.app)
    finally:
        services.database.close()
        parsed.cache_clear()
        text_of.cache_clear()
