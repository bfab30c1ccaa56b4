"""Signing in: one-time codes and tokens, who may try how often, and what is kept of them (S-20 to S-22, S-29)."""

import re

import pytest
import sqlalchemy as sa
from freezegun import freeze_time

from service.accounts import people, sign_in
from service.accounts.people import MOST_TOKENS
from service.accounts.sign_in import CODE_LIFE, CODE_TRIES, CODES_AN_HOUR, MOST_CODES_AN_HOUR
from service.kernel.clock import text
from service.kernel.entropy import Entropy
from service.kernel.ids import (
    ALPHABET,
    digest,
    new_cause,
    new_code,
    new_game_id,
    new_nonce,
    new_player_id,
    new_request,
    new_token,
)
from service.store.outgoing.outbox import outbox
from tests.service.store.service_tables import services, snapshot, sqlite_room

__all__ = ["services", "sqlite_room"]
PROFILE = {"name": "Anna", "email": "anna@people.example", "timezone": "Europe/Paris", "language": "en"}
EMAIL = PROFILE["email"]


def signs_up(services, *, caller="", **changes):
    with services.database.write() as tx:
        return sign_in.ask(services, tx, (PROFILE | changes)["email"], caller=caller, profile={**PROFILE, **changes})


def asks(services, email=EMAIL, caller=""):
    with services.database.write() as tx:
        return sign_in.ask(services, tx, email, caller=caller)


def redeems(services, code, email=EMAIL, request=None, caller=""):
    with services.database.write() as tx:
        return sign_in.confirm(services, tx, email, code, request=request, caller=caller)


def mailed(services):
    """The codes as the mails would show them, oldest first."""
    while sign_in.post_codes(services):
        pass
    with services.database.read() as connection:
        found = sa.select(outbox).where(outbox.c.kind == "code").order_by(outbox.c.id)
        rows = connection.execute(found).mappings().all()
    return [services.sealer.open("codes", f"code|{row['decision']}", row["secret"]).decode().split()[0] for row in rows]


def who(services, token):
    with services.database.read() as connection:
        return people.who(connection, token)


# Codes


def test_a_new_player_gets_a_code_and_for_it_a_token(services):
    signs_up(services)
    (code,) = mailed(services)
    token, player = redeems(services, code)
    assert who(services, token).player == player
    with services.database.read() as connection:
        kept = people.profile(connection, player)
    assert {name: getattr(kept, name) for name in PROFILE} == PROFILE
    assert kept.verified_at is not None


@pytest.mark.slow
def test_s20_a_code_serves_once(services):
    signs_up(services)
    (code,) = mailed(services)
    assert redeems(services, code)[0] is not None
    assert redeems(services, code) == (None, "")


def test_s20_a_code_ends_the_others(services):
    signs_up(services)
    asks(services)
    first, second = mailed(services)
    assert first != second
    assert redeems(services, first)[0] is not None
    assert redeems(services, second)[0] is None


@pytest.mark.parametrize("typed", ["{0}", " {0} ", "{0}\n"])
def test_a_code_may_be_typed_in_capitals_and_with_blanks_around_it(services, typed):
    signs_up(services)
    (code,) = mailed(services)
    assert redeems(services, typed.format(code.upper()), EMAIL.upper())[0] is not None


@pytest.mark.slow
def test_s20_a_code_ends_after_ten_minutes(sqlite_room):
    services = sqlite_room
    with freeze_time("2026-11-20T12:00:00Z") as frozen:
        signs_up(services)
        (code,) = mailed(services)
        frozen.move_to("2026-11-20T12:09:59Z")
        assert redeems(services, "wrong")[0] is None
        frozen.move_to("2026-11-20T12:10:00Z")
        assert redeems(services, code)[0] is None
        asks(services)
        frozen.move_to("2026-11-20T12:19:59Z")
        assert redeems(services, mailed(services)[1])[0] is not None
    assert CODE_LIFE == 600_000_000


def test_s20_after_five_wrong_tries_the_right_code_is_wrong_too(services):
    signs_up(services)
    (code,) = mailed(services)
    for _ in range(CODE_TRIES - 1):
        assert redeems(services, "00000000")[0] is None
    asks(services)
    assert redeems(services, "00000000")[0] is None, "the fifth"
    assert redeems(services, code)[0] is None
    assert redeems(services, mailed(services)[1])[0] is not None, "a new code has tries of its own"
    assert CODE_TRIES == 5


def test_s20_four_wrong_tries_do_no_harm(services):
    signs_up(services)
    for _ in range(4):
        assert redeems(services, "zzzzzzzz")[0] is None
    assert redeems(services, mailed(services)[0])[0] is not None


def test_s20_a_code_is_for_one_address(services):
    signs_up(services)
    signs_up(services, email="bob@people.example", name="Bob")
    anna, bob = mailed(services)
    assert redeems(services, anna, "bob@people.example")[0] is None
    assert redeems(services, bob)[0] is None
    assert redeems(services, bob, "bob@people.example")[0] is not None


@pytest.mark.slow
def test_s29_a_mailbox_gets_five_codes_an_hour(migrated_sqlite, open_services):
    services = open_services(migrated_sqlite, RATE_LIMITS="on")
    with freeze_time("2026-11-20T12:00:00Z") as frozen:
        signs_up(services)
        for _ in range(9):
            frozen.tick(60)
            asks(services)
        assert len(mailed(services)) == CODES_AN_HOUR == 5
        signs_up(services)
        assert len(mailed(services)) == 5, "signing up again is no way round"
        signs_up(services, email="bob@people.example")
        assert len(mailed(services)) == 6, "another mailbox has its own"
        signs_up(services, caller="192.0.2.7")
        assert len(mailed(services)) == 7, "and so has another caller: none keeps the owner from a code"
        frozen.move_to("2026-11-20T13:00:01Z")
        asks(services)
        assert len(mailed(services)) == 8


def test_s29_all_callers_together_get_twenty_codes_an_hour_into_a_mailbox(migrated_sqlite, open_services):
    services = open_services(migrated_sqlite, RATE_LIMITS="on")
    signs_up(services)
    for number in range(30):
        signs_up(services, caller=f"192.0.2.{number}")
    assert len(mailed(services)) == MOST_CODES_AN_HOUR == 20


def test_s20_a_code_is_kept_nowhere_in_the_clear(services):
    signs_up(services)
    (code,) = mailed(services)
    kept = snapshot(services)
    assert code not in repr(kept)
    assert code.encode() not in b"".join(
        value for row in [*kept["notices"], *kept["deliveries"]] for value in row if isinstance(value, bytes)
    )
    (row,) = kept["sign_ins"]
    assert digest(code) in row


# Unknown addresses


def test_s22_an_unknown_address_gets_the_same_outcome(services):
    signs_up(services)
    assert redeems(services, mailed(services)[0])[0] is not None
    before = snapshot(services)
    for email in ("nobody@people.example", EMAIL):
        assert len(asks(services, email)) == 22
        assert redeems(services, "00000000", email) == (None, "")
    assert len(mailed(services)) == 2, "and no mail but the owner's"
    after = snapshot(services)
    kept = {row[1] for row in after.pop("sign_ins")} - {row[1] for row in before.pop("sign_ins")}
    assert kept == {"nobody@people.example"}
    assert {name for name in after if after[name] != before[name]} == {"notices", "deliveries"}


def test_s22_signing_up_with_a_known_address_changes_no_profile_and_mails_its_owner(services):
    signs_up(services)
    redeems(services, mailed(services)[0])
    before = snapshot(services)["players"]
    signs_up(services, name="Mallory", email="ANNA@people.example", language="fr")
    assert redeems(services, mailed(services)[1])[0] is not None
    assert snapshot(services)["players"] == before


# Tokens


def test_s21_a_token_is_kept_as_its_digest_only(services):
    signs_up(services)
    token, _ = redeems(services, mailed(services)[0])
    kept = snapshot(services)
    assert token not in repr(kept)
    assert token.removeprefix("wr_") not in repr(kept)
    assert kept["tokens"][0][0] == digest(token)


def test_s21_a_wrong_token_is_nobody_s(services):
    signs_up(services)
    token, _ = redeems(services, mailed(services)[0])
    for wrong in ("", "wr_", token[:-1], token + "x", token.upper(), digest(token).hex(), "wr_" + "A" * 43):
        assert who(services, wrong) is None, wrong


def test_s21_tokens_are_listed_and_ended_one_by_one_and_all_at_once(services):
    with services.database.write() as tx:
        mine = [people.token_for(services, tx, EMAIL, "Anna") for _ in range(3)]
        others = people.token_for(services, tx, "bob@people.example", None)
    player, token_id = who(services, mine[1]).player, who(services, mine[1]).token
    with services.database.read() as connection:
        listed = people.player_tokens(connection, player)
    assert len(listed) == 3
    assert token_id in {token.id for token in listed}
    bobs = who(services, others)
    with services.database.write() as tx:
        assert people.end_tokens(tx, bobs.player, token_id) == 0, "not another's"
        assert people.end_tokens(tx, player, token_id) == 1
        assert people.end_tokens(tx, player, token_id) == 0
    assert who(services, mine[1]) is None
    assert who(services, mine[0]) is not None
    with services.database.write() as tx:
        assert people.end_tokens(tx, player) == 2
    assert [who(services, token) for token in mine] == [None] * 3
    assert who(services, others) == bobs


@pytest.mark.slow
def test_s21_the_use_of_a_token_is_noted_once_an_hour(services):
    with services.database.write() as tx:
        token = people.token_for(services, tx, EMAIL, None)
    noted = []
    with freeze_time("2026-11-20T12:00:00Z") as frozen:
        for minutes in (0, 59, 1):
            frozen.tick(60 * minutes)
            people.note_use(services.database, who(services, token))
            noted.append(text(who(services, token).used_at)[11:16])
    assert noted == ["12:00", "12:00", "13:00"]


@pytest.mark.slow
def test_nobody_collects_tokens_without_end(sqlite_room):
    services = sqlite_room
    with freeze_time("2026-11-20T12:00:00Z") as frozen:
        made = []
        for _ in range(MOST_TOKENS + 3):
            frozen.tick(1)
            with services.database.write() as tx:
                made.append(people.token_for(services, tx, EMAIL, None))
    assert [who(services, token) is None for token in made] == [True] * 3 + [False] * MOST_TOKENS


# Profiles and ids


def test_a_profile_is_changed_and_nobody_else_s(services):
    signs_up(services)
    signs_up(services, email="bob@people.example", name="Bob")
    codes = mailed(services)
    anna, bob = redeems(services, codes[0])[1], redeems(services, codes[1], "bob@people.example")[1]
    with services.database.write() as tx:
        people.change_profile(tx, anna, {"name": "Anna Maria", "mail": False})
        people.change_profile(tx, anna, {})
    with services.database.read() as connection:
        kept = [people.profile(connection, one) for one in (anna, bob)]
    assert [(player.name, player.mail) for player in kept] == [("Anna Maria", False), ("Bob", True)]


@pytest.mark.parametrize("zone", ["UTC", "Europe/Paris", "Pacific/Chatham", "America/Argentina/Ushuaia"])
def test_a_time_zone_has_its_iana_name(zone):
    assert people.is_timezone(zone)


@pytest.mark.parametrize(
    "zone", ["", "Mars/Base", "../../etc/passwd", "/etc/localtime", "Europe", "+01", "a\x00b", "x" * 999]
)
def test_what_is_no_time_zone_is_refused_and_nothing_raised(zone):
    assert not people.is_timezone(zone)


@pytest.mark.parametrize(
    "make, form, bits",
    [
        (new_game_id, r"[0-9a-z]{10}", 50),
        (new_player_id, r"p_[0-9a-z]{12}", 60),
        (new_cause, r"[0-9a-z]{16}", 80),
        (new_code, r"[0-9a-z]{8}", 40),
        (new_nonce, r"[0-9a-f]{32}", 128),
        (new_request, r"[0-9A-Za-z_-]{22}", 128),
        (new_token, r"wr_[0-9A-Za-z_-]{43}", 256),
    ],
)
def test_s20_s21_ids_and_secrets_are_random_and_readable(make, form, bits):
    entropy = Entropy()
    made = {make(entropy) for _ in range(2000)}
    assert len(made) == 2000
    assert all(re.fullmatch(form, one) for one in made)
    assert not set("ilou") & set(ALPHABET)
    assert len(ALPHABET) == 32
    assert bits >= 40


# Sessions


def begins(services, player, now=None):
    with services.database.write() as tx:
        return people.make_token(
            services, tx, player, "Firefox on Android", now or services.database.clock.now(tx), kind="session"
        )


def session(services, secret):
    with services.database.read() as connection:
        return people.whose_session(services.database, connection, secret)


@pytest.fixture
def anna(services):
    signs_up(services)
    return redeems(services, mailed(services)[0])[1]


def test_s21_a_session_is_no_token_of_the_api_and_a_token_no_session(services, anna):
    secret = begins(services, anna)
    with services.database.write() as tx:
        token = people.make_token(services, tx, anna, "", 1)
    assert (who(services, secret), session(services, token)) == (None, None)
    assert (session(services, secret).player, who(services, token).player) == (anna, anna)


def test_s21_sessions_and_tokens_of_the_api_do_not_push_each_other_out(services, anna):
    with services.database.write() as tx:
        token = people.make_token(services, tx, anna, "", services.database.clock.now(tx))
    first = begins(services, anna, now=1)
    secrets = [begins(services, anna) for _ in range(MOST_TOKENS)]
    assert who(services, token) is not None
    assert session(services, first) is None
    assert all(session(services, secret) for secret in secrets)


@pytest.mark.slow
def test_s21_a_session_ends_when_nobody_used_it_for_four_hundred_days(sqlite_room):
    services = sqlite_room
    with freeze_time("2026-01-01T12:00:00Z") as frozen:
        signs_up(services)
        _, player = redeems(services, mailed(services)[0])
        used, unused = begins(services, player), begins(services, player)
        frozen.move_to("2026-12-01T12:00:00Z")
        assert people.note_use(services.database, session(services, used))
        frozen.move_to("2027-02-05T11:59:59Z")
        assert session(services, unused) is not None
        frozen.move_to("2027-02-05T12:00:00Z")
        assert session(services, unused) is None
        assert session(services, used) is not None
        with services.database.write() as tx:
            people.end_old_sessions(tx, services.database.clock.now(tx))
            assert {token.kind for token in people.player_tokens(tx, player)} == {"api", "session"}
            assert len(people.player_tokens(tx, player)) == 2
    assert people.SESSION_LIFE == 400 * 86_400_000_000


def test_s21_all_other_sessions_are_ended_and_no_token_of_the_api(services, anna):
    secrets = [begins(services, anna) for _ in range(3)]
    mine = session(services, secrets[1])
    with services.database.write() as tx:
        assert people.end_other_sessions(tx, anna, mine.token) == 2
    assert [session(services, secret) for secret in secrets] == [None, mine, None]
    with services.database.read() as connection:
        assert [token.kind for token in people.player_tokens(connection, anna)].count("api") == 1
