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
from service.games import chat
from service.integrity import key_rotation
from service.kernel.encryption import Unreadable
from service.mail import inbox
from service.mail.inbox import KEPT, NotAccepted
from service.mail.reply_tokens import AFTER_THE_END, MARGIN
from service.notify import subscriptions
from service.store.outbox import outbox
from service.store.reply_tokens import reply_tokens as kept_tokens
from tests.databases import BOTH
from tests.workers.office import text_of
from tests.workers.post import SETTINGS, Hands, Post
from workers import sweep
from workers.sweep import housekeep

OLD, NEW = "k" * 32, "n" * 32
SEALED = [str(place.column) for place in key_rotation.PLACES]


@pytest.fixture(params=BOTH)
def keys(request: pytest.FixtureRequest, open_services: Callable[..., Services], hands: Hands) -> Callable[..., Post]:
    """A post office with these keys, the present one first; all of them on one database."""
    url: str = request.getfixturevalue(f"migrated_{request.param}")

    def made(present: str, *earlier: str, by: Post | None = None) -> Post:
        more = {"SECRET_KEY": present, "SECRET_KEYS_OLD": ",".join(earlier)}
        post = Post(open_services(url, clock=hands, **{**SETTINGS, **more}), hands)
        if by is not None:
            post.ids, post.carrier, post.sent = by.ids, by.carrier, by.sent
        return post

    return made


def values(post: Post) -> dict[str, list[bytes]]:
    """Everything that rotation seals again."""
    with post.services.database.read() as connection:
        return {
            str(place.column): [
                one for one in connection.execute(sa.select(place.column)).scalars().all() if one is not None
            ]
            for place in key_rotation.PLACES
        }


def request_of(post: Post) -> idempotency.Claim:
    return idempotency.claim(post.person("ann"), "k" * 20, "POST", "/api/v1/games", b"{}")


def everything(post: Post) -> str:
    """A game in which ann ordered by mail; two more of her mails, a code, a webhook and an answer under the old key."""
    game = post.begins("ann", "bob")
    post.round()
    letter = post.newest("ann")
    post.answers("ann", "hide 2", to=letter)
    post.round()
    post.answers("ann", "hdie 3", to=letter)
    post.answers("ann", "3", to=letter)
    post.asks_for_a_code("ann")
    with post.services.database.write() as tx:
        subscriptions.register(post.services, tx, post.ids["ann"], "https://bot.example/")
        assert idempotency.replay(post.services.database, post.services.sealer, tx, request_of(post)) is None
        idempotency.keep(post.services.sealer, tx, request_of(post), Answer(201, [], b"{}"))
    return game


def test_s30_a_key_is_changed_as_the_manual_says_and_everything_still_works(keys: Callable[..., Post]) -> None:
    post = keys(OLD)
    game = everything(post)
    sealed = values(post)
    assert all(sealed.values()), "there is something of everything"
    old_letter = post.newest("ann", "your-turn")

    both = keys(NEW, OLD, by=post)
    housekeep(both.services)
    for name, ones in values(both).items():
        assert len(ones) == len(sealed[name])
        assert all(both.services.sealer.is_current(one) for one in ones), name
    kept = values(both)
    housekeep(both.services)
    assert values(both) == kept, "once"

    alone = keys(NEW, by=post)
    alone.round()
    mistyped, numbered = alone.mails()[-2:]
    assert "Your earlier order is still in force: hide 2." in alone.outcome(mistyped["id"]).why
    assert alone.state(numbered["id"]) == "applied"
    assert alone.outcome(numbered["id"]).commands == ["hide 3"]
    assert alone.head(game).table.game.hands[0] == 3
    assert "code" in text_of(alone.newest("ann", "code"))
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
        alone.answers("ann", "hide 1", to=old_letter)
    number = alone.answers("ann", "hide 1", to=alone.newest("ann", "answer"))
    alone.round()
    assert alone.outcome(number).commands == ["hide 1"], "mails of today have addresses of today"


def test_s30_a_key_that_is_lost_stops_neither_the_lists_nor_housekeeping(keys: Callable[..., Post]) -> None:
    post = keys(OLD)
    everything(post)
    alone = keys(NEW, "o" * 32, by=post)
    with alone.services.database.write() as tx:
        rotated = [key_rotation.seal_again(alone.services.sealer, tx, place, 9) for place in key_rotation.PLACES]
    assert rotated == [0] * len(key_rotation.PLACES)
    with alone.services.database.read() as connection:
        rows = inbox.mails_of(connection, post.ids["ann"], before=None, limit=9)
    assert [inbox.outcome(alone.services, row) for row in rows] == [None] * 3


@pytest.mark.parametrize("place", key_rotation.PLACES, ids=SEALED)
def test_s30_what_was_changed_is_left_and_the_others_are_sealed_again(
    migrated_sqlite: str, open_services: Callable[..., Services], hands: Hands, place: key_rotation.Place
) -> None:
    post = Post(open_services(migrated_sqlite, clock=hands, **SETTINGS), hands)
    everything(post)
    both = open_services(migrated_sqlite, clock=hands, **{**SETTINGS, "SECRET_KEY": NEW, "SECRET_KEYS_OLD": OLD})
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


def test_s30_keys_are_changed_a_batch_at_a_time(keys: Callable[..., Post], monkeypatch: pytest.MonkeyPatch) -> None:
    post = keys(OLD)
    everything(post)
    both = keys(NEW, OLD, by=post)
    monkeypatch.setattr(sweep, "ROTATED_AT_ONCE", 2)
    shares = []
    for _ in range(2):
        housekeep(both.services)
        shares.append([both.services.sealer.is_current(one) for one in values(both)["inbound.raw"]].count(True))
    assert shares == [2, 3]


def test_without_an_old_key_nothing_is_looked_through_for_it(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(chat, "seal_again", lambda *_: asked.append("talk") or 0)
    monkeypatch.setattr(key_rotation, "seal_again", lambda *_: asked.append("place") or 0)
    with capture_logs() as told:
        housekeep(post.services)
    assert (asked, told) == ([], [])


def test_in_31_housekeeping_reduces_old_mails_and_the_standing_order_stands(post: Post) -> None:
    game = post.begins("ann", "bob", clock={"per_move": "P60D", "grace": "PT10M", "strikes": 2})
    post.round()
    letter = post.newest("ann")
    number = post.answers("ann", "hide 2", to=letter)
    post.round()
    post.hands.at += KEPT + 1
    housekeep(post.services)
    (row,) = post.mails(id=number)
    assert (row["raw"], row["sender"]) == (None, "")
    wrong = post.answers("ann", "hdie 3", to=letter)
    post.works()
    assert "Your earlier order is still in force: hide 2." in post.outcome(wrong).why
    assert post.head(game).table.game.hands == {0: 2}


def test_out_26_housekeeping_deletes_addresses_about_games_that_are_long_over(post: Post) -> None:
    game = post.begins("ann", "bob")
    post.round()
    post.wanders(game, 1)

    def addresses_kept() -> int:
        with post.services.database.read() as connection:
            count: Any = connection.execute(sa.select(sa.func.count()).select_from(kept_tokens)).scalar_one()
            return int(count)

    post.hands.at = post.head(game).last_at + AFTER_THE_END + MARGIN
    housekeep(post.services)
    assert addresses_kept()
    post.hands.advance(seconds=1)
    housekeep(post.services)
    assert addresses_kept() == 0
    with post.services.database.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(outbox)).scalar_one(), "notices stay"
