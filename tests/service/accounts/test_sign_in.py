"""A code belongs to the request that asked for it, and nobody can tell who has an account (S-20, S-22, T-69)."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
import sqlalchemy as sa
from freezegun import freeze_time

from config.settings import Settings
from service.accounts import sign_in
from service.accounts.sign_in import CODE_TRIES, MOST_GUESSES
from service.kernel.ids import digest
from service.store.people import players
from tests.service.accounts.test_people import EMAIL, asks, mailed, redeems, signs_up
from tests.service.api.table import Api, served
from tests.service.store.service_tables import services, sqlite_room

__all__ = ["services", "sqlite_room"]
WRONG = "00000000"
STRANGER, OWNER = "203.0.113.9", "192.0.2.1"


@pytest.fixture
def known(services):
    """The service, with somebody who has signed up before."""
    signs_up(services)
    assert redeems(services, mailed(services)[0])[0] is not None
    return services


# Whose code it is


@pytest.mark.slow
def test_s20_a_strangers_guesses_cost_the_owner_nothing(known):
    request = asks(known, caller=OWNER)
    code = mailed(known)[-1]
    for number in range(3 * MOST_GUESSES):
        redeems(known, WRONG, caller=f"203.0.113.{number}")
    assert redeems(known, code, request=request, caller=OWNER)[0] is not None


def test_s20_the_secret_has_five_tries_of_its_own(known):
    request = asks(known)
    code = mailed(known)[-1]
    for _ in range(CODE_TRIES - 1):
        assert redeems(known, WRONG, request=request)[0] is None
    assert redeems(known, code, request=request)[0] is not None
    request = asks(known)
    code = mailed(known)[-1]
    for _ in range(CODE_TRIES):
        redeems(known, WRONG, request=request)
    assert redeems(known, code, request=request)[0] is None, "guessed too often by its owner"
    again = asks(known)
    assert redeems(known, mailed(known)[-1], request=again)[0] is not None, "who asks anew has new tries"


def test_s20_a_code_does_not_work_with_the_secret_of_another_request(known):
    mine, strangers = asks(known, caller=OWNER), asks(known, caller=STRANGER)
    first, second = mailed(known)[-2:]
    assert redeems(known, first, request=strangers)[0] is None
    assert redeems(known, second, request=mine)[0] is None
    assert redeems(known, second, request="A" * 22)[0] is None
    assert redeems(known, first, "bob@people.example", request=mine)[0] is None
    assert redeems(known, first, request=mine)[0] is not None
    assert redeems(known, second, request=strangers)[0] is None, "a code ends the others"


def test_s20_without_a_secret_each_caller_has_five_tries(known):
    asks(known)
    code = mailed(known)[-1]
    for _ in range(CODE_TRIES):
        assert redeems(known, WRONG, caller=STRANGER)[0] is None
    assert redeems(known, code, caller=STRANGER)[0] is None, "the stranger's are spent"
    assert redeems(known, code, caller=OWNER)[0] is not None, "and the owner's are not"


def test_s20_without_a_secret_all_callers_together_have_fifty_tries(known):
    request = asks(known)
    code = mailed(known)[-1]
    for number in range(MOST_GUESSES - 1):
        redeems(known, WRONG, caller=f"203.0.113.{number % 25}")
    asks(known)
    redeems(known, WRONG, caller=STRANGER)
    assert redeems(known, code, caller=OWNER)[0] is None
    assert redeems(known, mailed(known)[-1], caller=OWNER)[0] is not None, "a later code has tries of its own"
    assert MOST_GUESSES == 50
    assert request


@pytest.fixture
def besieged(migrated_sqlite, open_services):
    """A service with limits, at which four networks have used up the codes that an address gets in an hour."""
    services = open_services(migrated_sqlite, RATE_LIMITS="on")
    with freeze_time("2026-11-20T12:00:00Z"):
        signs_up(services)
        assert redeems(services, mailed(services)[0])[0] is not None
    with freeze_time("2026-11-20T13:00:01Z"):
        for number in range(20):
            asks(services, caller=f"203.0.113.{number % 4}")
        yield services


def test_s29_strangers_who_ask_for_codes_keep_nobody_out(besieged):
    """Four networks use up the codes of an hour; whoever owns the address reads the newest of them in a mail."""
    before = mailed(besieged)
    mine = asks(besieged, caller=OWNER)
    assert (mailed(besieged), len(mine)) == (before, len(asks(besieged, "nobody@people.example")))
    for _ in range(CODE_TRIES - 1):
        assert redeems(besieged, WRONG, request=mine, caller=OWNER)[0] is None
    assert redeems(besieged, before[-1], "bob@people.example", request=mine, caller=OWNER)[0] is None
    assert redeems(besieged, before[-1], request=mine, caller=OWNER)[0] is not None
    assert redeems(besieged, before[-2], request=mine, caller=OWNER)[0] is None, "a code ends the others"


def test_s29_a_secret_of_a_dropped_request_has_the_tries_of_its_network_and_is_nobody_elses(besieged):
    mine, code = asks(besieged, caller=OWNER), mailed(besieged)[-1]
    for forged in (mine[::-1], mine[:8] + "A" * 14, mine[:-1], f"{mine}A", "", "A", "é" * 22):
        assert redeems(besieged, code, request=forged, caller=OWNER)[0] is None, forged
    for _ in range(CODE_TRIES):
        redeems(besieged, WRONG, request=mine, caller=STRANGER)
    assert redeems(besieged, code, request=mine, caller=STRANGER)[0] is None
    assert redeems(besieged, code, request=mine, caller=OWNER)[0] is not None


def test_s29_once_the_codes_of_strangers_have_expired_a_new_one_is_mailed(besieged):
    before = len(mailed(besieged))
    with freeze_time("2026-11-20T13:10:02Z"):
        mine = asks(besieged, caller=OWNER)
        assert len(mailed(besieged)) == before + 1
        assert asks(besieged, caller="198.51.100.1") != ""
        assert len(mailed(besieged)) == before + 1, "one at a time"
        assert redeems(besieged, mailed(besieged)[-1], request=mine, caller=OWNER)[0] is not None


def test_s20_neither_secrets_nor_callers_are_kept_in_the_clear(known):
    request = asks(known, caller=STRANGER)
    redeems(known, WRONG, caller=STRANGER)
    with known.database.read() as connection:
        kept = repr(connection.exec_driver_sql("SELECT * FROM sign_ins").all())
    assert request not in kept
    assert STRANGER not in kept
    assert STRANGER.encode().hex() not in kept


# Nothing of a profile counts before its address is confirmed


def test_s22_a_stranger_cannot_take_an_address_with_a_profile_of_their_own(services):
    signs_up(services, name="Idiot", language="fr", timezone="Pacific/Chatham", caller=STRANGER)
    mine = signs_up(services, name="Anna", caller=OWNER)
    with services.database.read() as connection:
        assert players.by_email_key(connection, EMAIL) is None, "nobody is a player yet"
    _, player = redeems(services, mailed(services)[1], request=mine)
    with services.database.read() as connection:
        anna = players.by_id(connection, player)
    assert (anna.name, anna.language, anna.timezone) == ("Anna", "en", "Europe/Paris")
    assert redeems(services, mailed(services)[0])[0] is None


def test_s22_each_sign_up_carries_its_own_profile_also_for_clients_without_the_secret(services):
    signs_up(services, name="Idiot")
    signs_up(services, name="Anna")
    _, player = redeems(services, mailed(services)[1])
    with services.database.read() as connection:
        assert players.by_id(connection, player).name == "Anna"


def test_asking_for_a_code_signs_nobody_up(services):
    asks(services)
    assert mailed(services) == []
    with services.database.read() as connection:
        assert players.by_email_key(connection, EMAIL) is None


def test_who_signed_up_and_lost_the_mail_asks_again_and_is_still_signing_up(services):
    signs_up(services, name="Idiot", caller=STRANGER)
    signs_up(services, name="Anna", caller=OWNER)
    asks(services, caller=OWNER)
    _, player = redeems(services, mailed(services)[-1], caller=OWNER)
    with services.database.read() as connection:
        assert players.by_id(connection, player).name == "Anna"


# The same work for every address


@dataclass
class Watched(Api):
    """The API, and the statements that reach its database, whoever sends them, without their values."""

    statements: list[str] = field(default_factory=list)

    def watch(self) -> None:
        sa.event.listen(self.services.database.engine, "connect", self._trace)

    def work(self, method: str, path: str, body: dict[str, object], who: str | None = None) -> tuple[list[str], int]:
        """What a request makes the database do, and its status."""
        player = self.player(who) if who else None
        self.get("/me", player)  # the first use of a token is noted
        self.statements.clear()
        status = self.send(method, path, player, json=body).status
        assert self.statements
        return list(self.statements), status

    def _trace(self, connection: sqlite3.Connection, *_: object) -> None:
        connection.set_trace_callback(lambda statement: self.statements.append(VALUE.sub("?", statement)))


VALUE = re.compile(r"x?'(?:[^']|'')*'|\b\d+\b", re.IGNORECASE)


@pytest.fixture
def api(migrated_sqlite: str, settings_with: Callable[..., Settings]) -> Iterator[Watched]:
    with served(settings_with(DATABASE_URL=migrated_sqlite, RATE_LIMITS="on")) as api:
        watched = Watched(api.services, app=api.app)
        watched.watch()
        yield watched


@pytest.mark.slow
@pytest.mark.parametrize("confirmed", [False, True], ids=["after no request", "after a request"])
@pytest.mark.parametrize("secret", [False, True], ids=["without secret", "with secret"])
def test_s22_t69_a_wrong_code_makes_the_same_statements_for_known_and_unknown_addresses(api, confirmed, secret):
    api.players("ann")
    done = []
    for name in ("ann", "nobody"):
        body = {"email": f"{name}@example.org"}
        request = api.post("/tokens", None, body).ok(202).json["request"] if confirmed else "A" * 22
        sign_in.post_codes(api.services)
        done.append(api.work("POST", "/tokens", body | {"code": WRONG} | ({"request": request} if secret else {})))
    assert done[0] == done[1]
    assert done[0][1] == 401


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/tokens", "/players"])
def test_s22_t69_asking_makes_the_same_statements_for_known_and_unknown_addresses(api, path):
    api.players("ann")
    profile = {"name": "Ann"} if path == "/players" else {}
    for _ in range(7):  # also beyond the five codes of an hour
        known, unknown = (api.work("POST", path, {"email": f"{name}@example.org"} | profile) for name in ("ann", "zed"))
        assert known == unknown
        assert known[1] == 202


@pytest.mark.slow
def test_s22_t69_inviting_makes_the_same_statements_for_known_and_unknown_addresses(api):
    api.players("ann bob")
    table = {"ruleset": "tammany-hall", "seats": 3, "public": False}
    invite = [f"{who}@example.org" for who in ("one", "two", "bob", "zed")]
    done = [api.work("POST", "/games", table | {"invite": [address]}, "ann") for address in invite]
    assert done[2] == done[3], "after those that make sure of the key that signs"
    assert done[3][1] == 201


@pytest.mark.slow
def test_s22_t69_an_address_that_is_not_mine_is_refused_alike_for_erasure(api):
    api.players("ann bob")
    done = [api.work("DELETE", "/me", {"email": f"{who}@example.org"}, "ann") for who in ("bob", "zed")]
    assert done[0] == done[1]
    assert done[0][1] == 422


# By REST


def test_s20_the_asker_is_handed_a_secret_and_clients_that_do_not_send_it_go_on_to_work(api):
    answer = api.post("/players", None, {"name": "Ann", "email": "ann@example.org"}).ok(202)
    assert re.fullmatch(r"[0-9A-Za-z_-]{22}", answer.json["request"])
    code = code_of(api)
    api.post("/tokens", None, {"email": "ann@example.org", "code": code, "request": "A" * 22}).refused(401, "bad-code")
    api.post("/tokens", None, {"email": "ann@example.org", "code": code}).ok(201)
    request = api.post("/tokens", None, {"email": "ann@example.org"}).ok(202).json["request"]
    code = code_of(api)
    api.post("/tokens", None, {"email": "ann@example.org", "code": code, "request": request}).ok(201)


def test_s20_a_secret_without_a_code_is_told_what_is_missing(api):
    answer = api.post("/tokens", None, {"email": "ann@example.org", "request": "A" * 22})
    assert "code from the mail" in answer.refused(422, "code-missing").json["detail"]


def test_s20_networks_not_addresses_have_tries(api):
    """Who has an IPv6 network has 2^64 addresses (RFC 6177)."""
    api.post("/players", None, {"name": "Ann", "email": "ann@example.org"}).ok(202)
    code = code_of(api)
    for number in range(CODE_TRIES):
        confirm(api, WRONG, f"2001:db8:1:2::{number}").refused(401, "bad-code")
    confirm(api, code, "2001:db8:1:2:ffff::9").refused(401, "bad-code")
    confirm(api, code, "2001:db8:1:3::1").ok(201)


def confirm(api: Api, code: str, address: str):  # type: ignore[no-untyped-def]
    body = {"email": "ann@example.org", "code": code}
    return api.send("POST", "/tokens", json=body, environ_overrides={"REMOTE_ADDR": address})


def code_of(api: Api) -> str:
    return mailed(api.services)[-1]


# The link beside the code


def links(services):
    """The links as the mails would show them, oldest first."""
    while sign_in.post_codes(services):
        pass
    with services.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT decision, secret FROM notices WHERE kind = 'code' ORDER BY id").all()
    opened = [services.sealer.open("codes", f"code|{key}", bytes(secret)).decode() for key, secret in rows]
    return [both.split()[1] for both in opened]


def follows(services, link):
    with services.database.write() as tx:
        return sign_in.enter_by_link(services, tx, link)


def test_s20_a_link_signs_in_once_and_ends_the_codes_and_is_kept_as_its_digest_only(known):
    request = asks(known)
    link = links(known)[-1]
    with known.database.read() as connection:
        assert sign_in.name_of(connection, sign_in.find_link(known, connection, link)) == "Anna"
        assert link not in repr(connection.exec_driver_sql("SELECT * FROM sign_ins").all())
    for wrong in ("", link[:-1], link + "x", link.swapcase(), digest(link).hex()):
        assert follows(known, wrong) is None
    player = follows(known, link)
    with known.database.read() as connection:
        assert players.by_id(connection, player).name == "Anna"
        assert sign_in.find_link(known, connection, link) is None
    assert follows(known, link) is None
    assert redeems(known, mailed(known)[-1], request=request) == (None, "")


def test_s22_a_link_signs_up_with_the_profile_of_its_own_request(services):
    signs_up(services, name="Idiot", caller=STRANGER)
    signs_up(services, name="Anna", caller=OWNER)
    player = follows(services, links(services)[1])
    with services.database.read() as connection:
        assert players.by_id(connection, player).name == "Anna"
    assert follows(services, links(services)[0]) is None
