"""A database of the first Wardroom, with running games, mails in flight and sealed bids, is upgraded and played on."""

import json
from collections import Counter
from typing import Any

import pytest

from service.accounts import people
from service.games import play
from service.integrity import audit
from service.kernel.clock import moment
from service.store.database import Database
from service.store.structure import migrate
from tests.service.store.first_release import Left, restore_first
from tests.workers.worker_tables import Carrier, ManualClock, WorkerTables
from workers.sweep import housekeep, write_log

pytestmark = pytest.mark.slow


class Upgraded(WorkerTables):
    """Its tables under the code of today, some seconds after the old one was stopped."""

    def __init__(self, services: Any, clock: ManualClock, left: Left) -> None:
        super().__init__(services, clock)
        self.left = left
        self.ids = dict(left.players)

    def sit_invited(self, game: str, email: str) -> None:
        """A guest whose invitation lay in the mail sits down at a private table."""
        with self.services.database.write() as tx:
            found = people.who(tx, people.token_for(self.services, tx, email, "Zed"))
            assert found is not None
            play.take_seat(self.services, tx, game, found.player, None)

    def newest_bids(self, game: str) -> dict[str, dict[str, int]]:
        """The bids that were opened last, seat by seat, without colours that nobody bid."""
        with self.services.database.read() as connection:
            seen = self.services.streams.seen(connection, game, None, after=0, upto=9999)
        bids = next(event["data"]["bids"] for event in reversed(list(seen)) if event["type"].endswith("bids-revealed"))
        return {seat: {colour: n for colour, n in bid.items() if n} for seat, bid in bids.items()}

    def audit(self) -> list[Any]:
        with self.services.database.read() as connection:
            house, games = audit.audit_house(connection, self.services), audit.game_ids(connection)
        found = [*house]
        for game in games:
            found += audit.audit_game(self.services, game, mend=False, release=False, thorough=True).findings
        return [finding.line() for finding in found if finding.left]


def chips(text: str) -> dict[str, int]:
    """A bid in the notation: "bid irish 1 german 2", or "bid none"."""
    words = text.split()[1:]
    return {} if words == ["none"] else {colour: int(n) for colour, n in zip(words[::2], words[1::2], strict=True)}


@pytest.fixture
def upgraded(database_url, open_services) -> Upgraded:
    left = restore_first(database_url)
    database = Database(database_url, durable=False)
    assert migrate.current(database.engine) == "0001", "the first schema there was"
    migrate.upgrade(database)
    database.close()
    clock = ManualClock(moment(left.at))
    clock.advance(seconds=40)
    return Upgraded(open_services(database_url, clock=clock, **SETTINGS | {"SECRET_KEY": left.secret_key}), clock, left)


SETTINGS = {"MAIL_DOMAIN": "in.games.example", "BASE_URL": "https://games.example", "MAIL_FROM": "game@games.example"}


def test_every_history_is_what_it_was(upgraded):
    for game, end in upgraded.left.heads.items():
        assert json.loads(upgraded.export(game)[-1])["end"] == end
    assert upgraded.audit() == []


def test_bids_that_were_sealed_before_open_as_they_were_made(upgraded):
    left, game = upgraded.left, upgraded.left.games["bids"]
    assert upgraded.awaited(game) == [left.waits], "who had bid is not asked again"
    assert sorted(upgraded.legal(game, left.waits)) == sorted(left.ballots)
    upgraded.move(game, left.waits, left.ballots[-1])
    made = {**left.bids, str(left.waits): left.ballots[-1]}
    assert upgraded.newest_bids(game) == {seat: chips(text) for seat, text in made.items()}
    assert upgraded.audit() == []


def test_mails_in_flight_go_out_once_under_the_ids_they_had(upgraded):
    carrier = Carrier()
    upgraded.deliver(carrier)
    assert len(carrier.letters) == 2, "a process that is dead, as far as anybody knows, may still send what it leased"
    for _ in range(3):
        upgraded.advance(minutes=2)
        upgraded.deliver(carrier)
    wanted = {number: name for number, name in upgraded.left.queued.items() if not name.startswith("<code.")}
    assert Counter(letter.message_id for letter in carrier.letters) == Counter(wanted.values())
    (code,) = (row for row in upgraded.notices(kind="code"))
    assert (code["state"], code["id"] in map(int, upgraded.left.queued)) == ("superseded", True)
    assert upgraded.states()["sent"] == upgraded.left.sent + len(wanted)
    assert upgraded.states()["queued"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("steps", [8, pytest.param(4000, marks=pytest.mark.long)])
def test_the_games_are_played_on_and_the_audit_holds(upgraded, steps):
    left = upgraded.left
    running = [game for game in left.heads if upgraded.head(game).table.status == "running"]
    assert len(running) == 3
    for game in running:
        upgraded.play_out(game, game, late=0, most=steps)
        assert upgraded.head(game).table.status == ("finished" if steps > 1000 else "running")
    upgraded.sit_invited(left.games["open"], "zed@friends.example")
    for _ in range(4):
        upgraded.advance(minutes=10)
        upgraded.deliver()
        write_log(upgraded.services)
    housekeep(upgraded.services)
    assert upgraded.states()["queued"] == 0
    assert upgraded.audit() == []


@pytest.mark.slow
def test_a_deadline_of_before_passes_after_the_upgrade(upgraded):
    game = upgraded.left.games["late"]
    upgraded.advance(minutes=5)
    upgraded.deliver()
    before = upgraded.head(game).version
    for hours in (73, 1):
        upgraded.advance(hours=hours)
        upgraded.sweep()
        upgraded.deliver()
    assert upgraded.head(game).version > before, "the caretaker played for whoever kept silent"
    assert upgraded.audit() == []


def test_people_are_known_by_the_tokens_they_had(upgraded):
    with upgraded.services.database.read() as connection:
        for name, token in upgraded.left.tokens.items():
            found = people.who(connection, token)
            assert found is not None
            assert found.player == upgraded.left.players[name]
