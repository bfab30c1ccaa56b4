"""Housekeeping: an operator changes the key as the manual says, and nothing is lost; and what is old goes."""

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from service.accounts import idempotency, people
from service.accounts.idempotency import Answer
from service.app import create_app
from service.container import Services
from service.games import chat, drafts, notes
from service.integrity import key_rotation
from service.kernel.encryption import Unreadable
from service.mail import inbox
from service.mail.inbox import KEPT, NotAccepted
from service.mail.reply_tokens import AFTER_THE_END, MARGIN
from service.notify import devices, subscriptions
from service.store.clocks import decisions
from service.store.incoming.reply_tokens import reply_tokens as kept_tokens
from service.store.outgoing.outbox import outbox
from tests.databases import BOTH
from tests.letters import text_of
from tests.manual_clock import ManualClock
from tests.tables import SETTINGS, Tables
from tests.workers.push.browser_keys import BrowserKeys, b64
from workers import sweep
from workers.sweep import housekeep

OLD, NEW = "k" * 32, "n" * 32
SEALED = [str(place.column) for place in key_rotation.PLACES]


@pytest.fixture(params=BOTH)
def keys(
    request: pytest.FixtureRequest, open_services: Callable[..., Services], manual_clock: ManualClock
) -> Callable[..., Tables]:
    """Tables with these keys, the present one first; all of them on one database."""
    url: str = request.getfixturevalue(f"migrated_{request.param}")

    def made(present: str, *earlier: str, by: Tables | None = None) -> Tables:
        more = {"SECRET_KEY": present, "SECRET_KEYS_OLD": ",".join(earlier)}
        mail_tables = Tables(open_services(url, clock=manual_clock, **{**SETTINGS, **more}), manual_clock)
        if by is not None:
            mail_tables.ids, mail_tables.carrier, mail_tables.sent = by.ids, by.carrier, by.sent
        return mail_tables

    return made


def values(mail_tables: Tables) -> dict[str, list[bytes]]:
    """Everything that rotation seals again."""
    with mail_tables.services.database.read() as connection:
        return {
            str(place.column): [
                one for one in connection.execute(sa.select(place.column)).scalars().all() if one is not None
            ]
            for place in key_rotation.PLACES
        }


def request_of(mail_tables: Tables) -> idempotency.Claim:
    return idempotency.claim(mail_tables.player("ann"), "k" * 20, "POST", "/api/v1/games", b"{}")


def everything(mail_tables: Tables) -> str:
    """A game with orders by mail; under the old key also two more mails, a code, a webhook, a device, an answer."""
    game = mail_tables.begin("ann", "bob")
    mail_tables.exchange()
    letter = mail_tables.newest_letter("ann")
    mail_tables.reply("ann", "hide 2", to=letter)
    mail_tables.exchange()
    mail_tables.reply("ann", "hdie 3", to=letter)
    mail_tables.reply("ann", "3", to=letter)
    mail_tables.request_code("ann")
    with mail_tables.services.database.write() as tx:
        subscriptions.register(mail_tables.services, tx, mail_tables.ids["ann"], "https://bot.example/")
        bearer = people.who(tx, people.token_for(mail_tables.services, tx, "ann@people.example", "ann"))
        assert bearer is not None
        notes.write(mail_tables.services, tx, game, mail_tables.ids["ann"], "to myself")
        owed = decisions.owed(tx, game)[-1]
        drafts.keep(mail_tables.services, tx, game, mail_tables.ids["bob"], owed, drafts.Kept("hide 1", 1))
        browser = BrowserKeys()
        said = ("https://push.example/p", b64(browser.public), b64(browser.auth), "")
        devices.register(mail_tables.services, tx, bearer.player, bearer.token, *said)
        assert (
            idempotency.replay(mail_tables.services.database, mail_tables.services.sealer, tx, request_of(mail_tables))
            is None
        )
        idempotency.keep(mail_tables.services.sealer, tx, request_of(mail_tables), Answer(201, [], b"{}"))
    return game


def test_s30_a_key_is_changed_as_the_manual_says_and_everything_still_works(keys: Callable[..., Tables]) -> None:
    mail_tables = keys(OLD)
    game = everything(mail_tables)
    sealed = values(mail_tables)
    assert all(sealed.values()), "there is something of everything"
    old_letter = mail_tables.newest_letter("ann", "your-turn")

    both = keys(NEW, OLD, by=mail_tables)
    housekeep(both.services)
    for name, ones in values(both).items():
        assert len(ones) == len(sealed[name])
        assert all(both.services.sealer.is_current(one) for one in ones), name
    kept = values(both)
    housekeep(both.services)
    assert values(both) == kept, "once"

    alone = keys(NEW, by=mail_tables)
    alone.exchange()
    mistyped, numbered = alone.mails()[-2:]
    assert "Your earlier order is still in force: hide 2." in alone.outcome(mistyped["id"]).why
    assert alone.mail_state(numbered["id"]) == "applied"
    assert alone.outcome(numbered["id"]).commands == ["hide 3"]
    assert alone.head(game).table.game.hands[0] == 3
    assert "code" in text_of(alone.newest_letter("ann", "code"))
    with alone.services.database.write() as tx:
        answer = idempotency.replay(alone.services.database, alone.services.sealer, tx, request_of(alone))
        token = people.token_for(alone.services, tx, "ann@people.example", "ann")
        (hook,) = subscriptions.list_subscriptions(alone.services, tx, alone.ids["ann"])
    assert answer == Answer(201, [], b"{}")
    assert hook.url == "https://bot.example/"
    client = create_app(alone.services).test_client()
    listed = client.get("/api/v1/me/mails", headers={"Authorization": f"Bearer {token}"})
    assert [mail["commands"] for mail in listed.json["items"]] == [["hide 3"], [], ["hide 2"]]
    with pytest.raises(NotAccepted, match=r"5\.1\.1"):
        alone.reply("ann", "hide 1", to=old_letter)
    number = alone.reply("ann", "hide 1", to=alone.newest_letter("ann", "answer"))
    alone.exchange()
    assert alone.outcome(number).commands == ["hide 1"], "mails of today have addresses of today"


def test_s30_a_key_that_is_lost_stops_neither_the_lists_nor_housekeeping(keys: Callable[..., Tables]) -> None:
    mail_tables = keys(OLD)
    everything(mail_tables)
    alone = keys(NEW, "o" * 32, by=mail_tables)
    with alone.services.database.write() as tx:
        rotated = [key_rotation.seal_again(alone.services.sealer, tx, place, 9) for place in key_rotation.PLACES]
    assert rotated == [0] * len(key_rotation.PLACES)
    with alone.services.database.read() as connection:
        rows = inbox.mails_of(connection, mail_tables.ids["ann"], before=None, limit=9)
    assert [inbox.outcome(alone.services, row) for row in rows] == [None] * 3


@pytest.mark.parametrize("place", key_rotation.PLACES, ids=SEALED)
def test_s30_what_was_changed_is_left_and_the_others_are_sealed_again(
    migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock, place: key_rotation.Place
) -> None:
    mail_tables = Tables(open_services(migrated_sqlite, clock=manual_clock, **SETTINGS), manual_clock)
    everything(mail_tables)
    both = open_services(migrated_sqlite, clock=manual_clock, **{**SETTINGS, "SECRET_KEY": NEW, "SECRET_KEYS_OLD": OLD})
    table, name = place.column.table, place.column.name
    keys = [*table.primary_key.columns]
    with both.database.write() as tx:
        row = tx.execute(sa.select(table).where(place.column.is_not(None))).mappings().first()
        assert row is not None
        changed = row[name][:-1] + bytes([row[name][-1] ^ 1])
        this = [one == row[one] for one in keys]
        tx.execute(sa.update(table).where(*this).values({name: changed}))
        with pytest.raises(Unreadable):
            both.sealer.open(*place.bound(*(row[column.name] for column in place.named_by)), changed)
        count = tx.execute(sa.select(sa.func.count()).where(place.column.is_not(None))).scalar_one()
        assert key_rotation.seal_again(both.sealer, tx, place, 99) == count - 1
        assert tx.execute(sa.select(place.column).where(*this)).scalar_one() == changed


def test_s30_keys_are_changed_a_batch_at_a_time(keys: Callable[..., Tables], monkeypatch: pytest.MonkeyPatch) -> None:
    mail_tables = keys(OLD)
    everything(mail_tables)
    both = keys(NEW, OLD, by=mail_tables)
    monkeypatch.setattr(sweep, "ROTATED_AT_ONCE", 2)
    shares = []
    for _ in range(2):
        housekeep(both.services)
        shares.append([both.services.sealer.is_current(one) for one in values(both)["inbound.raw"]].count(True))
    assert shares == [2, 3]


def test_without_an_old_key_nothing_is_looked_through_for_it(
    mail_tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(chat, "seal_again", lambda *_: asked.append("talk") or 0)
    monkeypatch.setattr(key_rotation, "seal_again", lambda *_: asked.append("place") or 0)
    with capture_logs() as told:
        housekeep(mail_tables.services)
    assert (asked, told) == ([], [])


def test_in_31_housekeeping_reduces_old_mails_and_the_standing_order_stands(mail_tables: Tables) -> None:
    game = mail_tables.begin("ann", "bob", clock={"per_move": "P60D", "grace": "PT10M", "strikes": 2})
    mail_tables.exchange()
    letter = mail_tables.newest_letter("ann")
    number = mail_tables.reply("ann", "hide 2", to=letter)
    mail_tables.exchange()
    mail_tables.clock.at += KEPT + 1
    housekeep(mail_tables.services)
    (row,) = mail_tables.mails(id=number)
    assert (row["raw"], row["sender"]) == (None, "")
    wrong = mail_tables.reply("ann", "hdie 3", to=letter)
    mail_tables.read_inbox()
    assert "Your earlier order is still in force: hide 2." in mail_tables.outcome(wrong).why
    assert mail_tables.head(game).table.game.hands == {0: 2}


def test_out_26_housekeeping_deletes_addresses_about_games_that_are_long_over(mail_tables: Tables) -> None:
    game = mail_tables.begin("ann", "bob")
    mail_tables.exchange()
    mail_tables.play_out(game, 1)

    def addresses_kept() -> int:
        with mail_tables.services.database.read() as connection:
            count: Any = connection.execute(sa.select(sa.func.count()).select_from(kept_tokens)).scalar_one()
            return int(count)

    mail_tables.clock.at = mail_tables.head(game).last_at + AFTER_THE_END + MARGIN
    housekeep(mail_tables.services)
    assert addresses_kept()
    mail_tables.advance(seconds=1)
    housekeep(mail_tables.services)
    assert addresses_kept() == 0
    with mail_tables.services.database.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(outbox)).scalar_one(), "notices stay"
