"""A person with a mark in every field does every kind of thing, is erased, and the marks are nowhere (S-50, F-68)."""

import logging
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

from domain.audit.verify_history import audit
from service.accounts import feeds, idempotency, people, sign_in
from service.accounts.avoidance import avoid
from service.clocks import leave_days
from service.container import Services
from service.games import chat, history_queries, notes, views
from service.integrity import key_rotation
from service.integrity.audit import audit_game
from service.mail import deliverability, development_mailbox, inbox, unsubscribes
from service.mail.inbox import InboundMail, NotAccepted
from service.notify import devices, subscriptions
from service.operator import journal
from service.operator import people as operating
from service.operator.journal import Operator
from service.privacy import erase, erasure_journal, final_mail, redact
from service.privacy.data_map import SECTIONS
from service.store.across.personal_data import table_of
from service.store.games import analyses
from service.store.outgoing.deliveries import deliveries
from service.store.outgoing.mailboxes import mailboxes
from service.store.people import passkeys, profiles
from service.store.people.passkeys import Passkey
from tests.databases import BOTH
from tests.letters import parsed, text_of
from tests.manual_clock import ManualClock
from tests.notices import mail_in
from tests.tables import DOMAIN, SETTINGS, Tables
from tests.workers.push.browser_keys import BrowserKeys, b64
from workers.mail_out.letter import Letter
from workers.mail_out.transport import Deferred
from workers.sweep import housekeep

WHO = "zyxanthe"
NAME = "Quillfeather"
SAID = "marmalade"
WROTE = "periwinkle"
HOOK = "hooked-otter"
ZONE = "Pacific/Chatham"
MARKS = [WHO, NAME.lower(), SAID, WROTE, HOOK, "chatham", "2031-07-17"]
NONCE = "a-nonce-that-she-brought-along"


@pytest.fixture(params=BOTH)
def tables(request: pytest.FixtureRequest, open_services: Callable[..., Services], manual_clock: ManualClock) -> Tables:
    """Tables played at by mail, on each database."""
    url = request.getfixturevalue(f"migrated_{request.param}")
    return Tables(
        open_services(url, clock=manual_clock, durable=True, WEBHOOK_HOSTS="127.0.0.1:9", **SETTINGS), manual_clock
    )


@pytest.fixture
def small_post(migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock) -> Tables:
    """One on SQLite, for what does not depend on the database."""
    return Tables(
        open_services(migrated_sqlite, clock=manual_clock, WEBHOOK_HOSTS="127.0.0.1:9", **SETTINGS), manual_clock
    )


def lives(mail_tables: Tables) -> list[str]:
    """She plays three games, talks, writes, goes on leave, is written to, and is in trouble. Her games."""
    services, her = mail_tables.services, mail_tables.rename(WHO, NAME, ZONE)
    for name in ("ann", "bob"):
        mail_tables.player(name)
    with services.database.write() as tx:
        session = people.make_token(
            services, tx, her, f"{HOOK} browser", services.database.clock.now(tx), kind="session"
        )
        bearer = people.whose_session(services.database, tx, session)
        assert bearer is not None
        browser = BrowserKeys()
        address = (f"https://push.example/{HOOK}", b64(browser.public), b64(browser.auth), HOOK)
        devices.register(services, tx, her, bearer.token, *address)
    running = mail_tables.begin("ann", WHO, "bob", options={"rounds": "3"})
    private = mail_tables.open("ann", public=False, invite=[f"{WHO}@people.example"])
    closed = mail_tables.open(WHO, nonce=NONCE, invite=["guest@people.example"])
    over = mail_tables.begin("bob", WHO, options={"rounds": "1"})
    mail_tables.exchange()
    mail_tables.play_out(over, 1, late=0)
    with services.database.write() as tx:
        chat.say(services, tx, running, her, f"I like {SAID}", to=None)
        chat.say(services, tx, running, mail_tables.ids["ann"], "who does not", to=None)
        hook, _ = subscriptions.register(services, tx, her, f"http://127.0.0.1:9/{HOOK}")
        subscriptions.send_ping(services, tx, her, hook.id)
        leave_days.announce(tx, her, date(2031, 7, 17), date(2031, 7, 19), services.database.clock.now(tx))
        unsubscribes.mute(services.database, tx, her, over)
        analyses.queue(services.database, tx, over, 1, her)
        sign_in.ask(services, tx, f"{WHO}@people.example")
        notes.write(services, tx, running, her, f"to myself: {SAID}")
        avoid(services, tx, her, mail_tables.ids["bob"], "mute")
        profiles.put(services.database, tx, her, profiles.Shown(speaks="de"))
        feeds.renew(services, tx, her)
        passkeys.add(services.database, tx, Passkey("k_hers", her, WHO.encode(), NAME.encode(), 0, HOOK, 1, None))
        key = idempotency.claim(mail_tables.ids["bob"], "key", "POST", "/games", b"")
        idempotency.replay(services.database, services.sealer, tx, key)
        head = services.streams.head(tx, running)
        said = str(views.position(tx, head, 2)).replace("'", '"').replace("None", "null")
        said = said.replace("True", "true").replace("False", "false")
        idempotency.keep(services.sealer, tx, key, idempotency.Answer(201, [], said.encode()))
        own = idempotency.claim(her, "key", "POST", "/games", b"")
        idempotency.replay(services.database, services.sealer, tx, own)
        idempotency.keep(services.sealer, tx, own, idempotency.Answer(201, [], NAME.encode()))
    mail_tables.advance(hours=1)
    mail_tables.exchange()
    mail_tables.reply(WHO, f"say {WROTE}", to=about(mail_tables, WHO, running))
    mail_tables.reply(WHO, f"{WROTE} is no order", to=about(mail_tables, WHO, running), verdict=None)
    mail_tables.exchange()
    mail_tables.reply(WHO, "status", to=about(mail_tables, WHO, running), verdict=None)  # waits for her yes
    mail_tables.exchange()
    mail_tables.reply("bob", f"say to {NAME}: hello", to=about(mail_tables, "bob", running))
    mail_tables.reply(
        "bob", "status", to=about(mail_tables, "bob", running), address=f"{WHO}@people.example", verdict=None
    )
    mail_tables.advance(hours=1)
    mail_tables.exchange()
    bounces(mail_tables, mail_tables.newest_letter(WHO), f"550 5.1.1 {WHO}@people.example is unknown")
    key = passkeys.Passkey("k_1", mail_tables.ids[WHO], b"credential", b"key", 0, f"{WROTE} phone", 0, None)
    with mail_tables.services.database.write() as tx:
        passkeys.add(mail_tables.services.database, tx, key)
    mail_tables.reply(WHO, f"say {WROTE} again", to=about(mail_tables, WHO, running))  # is not worked off yet
    journal.act(
        services, Operator("carla", f"{NAME} said {SAID}"), lambda tx: operating.suspend(services, tx, her, None)
    )
    return [running, private, closed, over]


def about(mail_tables: Tables, name: str, game: str) -> Letter:
    return [
        one for one in mail_tables.letters_to(name) if "Reply-To" in parsed(one) and game in str(parsed(one)["Subject"])
    ][-1]


def bounces(mail_tables: Tables, letter: Letter, said: str) -> None:
    """A mail server gives a letter back, in a mail and to our face."""
    row = next(one for one in mail_tables.notices(message_id=letter.message_id))
    with mail_tables.services.database.write() as tx:
        deliverability.count_refusal(mail_tables.services, tx, mail_in(tx, row), hard=True, diagnostic=said)
        tx.execute(sa.update(deliveries).where(deliveries.c.notice_id == row["id"]).values(reason=said))
    raw = f"From: <>\r\nSubject: failed\r\n\r\n{said}\r\n{letter.message_id}\r\n".encode()
    inbox.accept(mail_tables.services, InboundMail(raw, letter.return_path, "", "lmtp"))


def everything(mail_tables: Tables) -> Iterator[tuple[str, str]]:
    """Every value of every table, sealed ones opened: where it stands, and what it says."""
    services = mail_tables.services
    with services.database.read() as connection:
        for table in SQLModel.metadata.sorted_tables:
            for row in connection.execute(sa.select(table)).mappings():
                for name, value in row.items():
                    yield f"{table.name}.{name}", str(value)
        for place in key_rotation.PLACES:
            for row in connection.execute(sa.select(place.column.table)).mappings():
                if row[place.column.name] is not None:
                    bound = place.bound(*(row[column.name] for column in place.named_by))
                    opened = services.sealer.open(*bound, row[place.column.name])
                    yield f"opened {place.column}", opened.decode(errors="replace")
        for row in connection.execute(sa.select(table_of("messages"))).mappings():
            yield (
                "opened messages.body",
                chat.text_of(services, row["game_id"], row["id"], row["body"]) if row["body"] else "",
            )
        for (game,) in connection.execute(sa.text("SELECT id FROM games")).all():
            yield "opened games.state", repr(services.streams.head(connection, game).table)


def marked(mail_tables: Tables) -> dict[str, str]:
    """Where a mark of hers stands."""
    return {
        place: mark
        for place, said in everything(mail_tables)
        for mark in MARKS
        if mark in said.lower().replace("=\r\n", "")
    }


def is_erased(mail_tables: Tables) -> None:
    assert erase.erase(mail_tables.services, mail_tables.ids[WHO]) is not None
    mail_tables.deliver()
    mail_tables.advance(minutes=11)
    housekeep(mail_tables.services)


def test_s50_nothing_that_says_who_she_was_is_left_in_any_table_log_or_file(tables, caplog, capfd):
    mail_tables = tables
    games = lives(mail_tables)
    assert {place.rpartition(".")[0].removeprefix("opened ") for place in marked(mail_tables)} >= {
        "players", "notices", "deliveries", "inbound", "messages", "webhooks", "absences", "mailboxes", "invitations",
        "idempotency",
    }, "she left marks everywhere"  # fmt: skip
    with mail_tables.services.database.read() as connection:
        ids = {row[0] for row in connection.execute(sa.select(table_of("messages").c.player_id))}
        filled = {section.name for section in SECTIONS if connection.execute(
            sa.select(sa.func.count()).select_from(table_of(section.theirs.table))).scalar()}  # fmt: skip
    assert filled >= {section.name for section in SECTIONS} - {"erasure", "missed_deadlines"}, "and in every table"
    with caplog.at_level(logging.DEBUG), capfd.disabled():
        is_erased(mail_tables)
    assert marked(mail_tables) == {}
    assert not [mark for mark in MARKS for line in caplog.messages if mark in line.lower()]
    assert mail_tables.ids[WHO] in ids
    with mail_tables.services.database.read() as connection:
        assert connection.execute(sa.select(table_of("erasures").c.done_at)).scalar_one() == mail_tables.clock.at
        for game in games:
            head = mail_tables.services.streams.head(connection, game)
            report = audit(history_queries.export(mail_tables.services, connection, head, 0))
            assert report.ok, report
            assert not audit_game(mail_tables.services, game, thorough=True).findings, "by the rules, and nothing amiss"
            assert (
                mail_tables.ids[WHO] in str(list(history_queries.export(mail_tables.services, connection, head, 0)))
                or game == games[1]
            )
    if mail_tables.services.database.is_sqlite:
        file = Path(mail_tables.services.database.engine.url.database)
        beside = [one for one in file.parent.glob(f"{file.name}*") if one.is_file()]
        assert file in beside
        assert not [(one.name, mark) for one in beside for mark in MARKS if mark.encode() in one.read_bytes().lower()]


def test_s50_the_games_go_on_and_letters_and_stories_say_a_former_player(small_post):
    mail_tables = small_post
    running = lives(mail_tables)[0]
    is_erased(mail_tables)
    sent = len(mail_tables.carrier.letters)
    while mail_tables.phase(running) != "over":
        mail_tables.play_on(running)
        mail_tables.exchange()
    letters = mail_tables.carrier.letters[sent:]
    assert {letter.to for letter in letters} <= {f"{name}@people.example" for name in ("ann", "bob")}
    pawn = mail_tables.head(running).rules.notation.pawns[1]
    assert any(f"a former player ({pawn})" in text_of(letter) for letter in letters)
    assert not [mark for mark in (WHO, NAME.lower()) for letter in letters if mark in text_of(letter).lower()]


def test_s50_one_last_mail_says_so_and_its_address_goes_with_it(tables):
    mail_tables = tables
    mail_tables.rename(WHO, NAME)
    with mail_tables.services.database.write() as tx:
        tx.execute(sa.text("UPDATE players SET language = 'de' WHERE id = :id"), {"id": mail_tables.ids[WHO]})
    erase.erase(mail_tables.services, mail_tables.ids[WHO])
    assert WHO not in str(mail_tables.notices())
    mail_tables.deliver()
    assert [letter.to for letter in mail_tables.carrier.letters] == [f"{WHO}@people.example"]
    assert NAME not in str(parsed(mail_tables.carrier.letters[0]))
    assert marked(mail_tables) == {}
    assert mail_tables.notices(kind=final_mail.KIND)[0]["secret"] is None


def test_s50_a_last_mail_is_tried_for_a_day_then_its_address_is_gone(small_post):
    """A mail server that does not know us takes it at a later attempt; what it says may quote the address."""
    mail_tables = small_post
    mail_tables.rename(WHO, NAME)
    mail_tables.carrier.before.extend([Deferred(f"451 {WHO}@people.example is busy")] * 99)
    is_erased(mail_tables)
    (waits,) = mail_tables.notices()
    assert (waits["state"], WHO in str(waits)) == ("queued", False)
    assert set(marked(mail_tables)) == {"opened notices.secret"}
    mail_tables.advance(hours=23)
    mail_tables.deliver()
    housekeep(mail_tables.services)
    assert mail_tables.notices()
    mail_tables.advance(hours=1)
    housekeep(mail_tables.services)
    assert not mail_tables.notices()
    assert marked(mail_tables) == {}
    assert erasures(mail_tables)[0]["done_at"] == mail_tables.clock.at


def test_s50_a_last_mail_that_is_taken_late_goes_with_its_address(small_post, caplog):
    mail_tables = small_post
    mail_tables.rename(WHO, NAME)
    mail_tables.carrier.before.extend([Deferred(f"451 {WHO}@people.example is busy")] * 2)
    is_erased(mail_tables)
    mail_tables.advance(hours=2)
    mail_tables.deliver()
    mail_tables.advance(hours=2)
    mail_tables.deliver()
    assert [letter.to for letter in mail_tables.carrier.letters] == [f"{WHO}@people.example"]
    housekeep(mail_tables.services)
    assert not mail_tables.notices()
    assert not [line for line in caplog.messages if WHO in line]


def test_s50_who_called_our_mail_spam_gets_no_last_one(small_post):
    mail_tables = small_post
    mail_tables.rename(WHO, NAME)
    with mail_tables.services.database.write() as tx:
        box = {"address": f"{WHO}@people.example", "suppressed_at": 5, "reason": deliverability.COMPLAINT}
        tx.execute(sa.insert(mailboxes).values(score=0, scored_at=0, **box))
    is_erased(mail_tables)
    assert not mail_tables.carrier.letters
    assert not mail_tables.notices()


def erasures(mail_tables: Tables) -> list[dict]:
    with mail_tables.services.database.read() as connection:
        return [dict(row) for row in connection.execute(sa.select(table_of("erasures"))).mappings()]


def quoting(mail_tables: Tables, *words: str) -> set[str]:
    """Where one of these stands, outside of bytes."""
    return {place for place, said in everything(mail_tables) for word in words if word in said.lower()}


# What others wrote, and cannot be reduced yet


def plays(mail_tables: Tables, name: str = NAME, *others: str) -> str:
    """A game with her, or with `others`, in which Bob is asked first."""
    mail_tables.rename(WHO, name)
    while "bob" not in mail_tables.ids or not mail_tables.letters_to("bob"):
        game = mail_tables.begin(*(others or ("ann", WHO)), "bob", kind="tammany-hall")
        mail_tables.exchange()
    return game


def test_s50_a_mail_of_another_that_waits_for_a_yes_and_names_her_is_refused_without_its_words(small_post):
    mail_tables = small_post
    game = plays(mail_tables)
    named = mail_tables.reply("bob", f"say to {NAME}: hello", to=about(mail_tables, "bob", game), verdict=None)
    legal = mail_tables.legal(game, mail_tables.awaited(game)[0])[0]
    plain = mail_tables.reply("bob", legal, to=about(mail_tables, "bob", game), verdict=None)
    mail_tables.exchange()
    assert (mail_tables.mail_state(named), mail_tables.mail_state(plain)) == ("held", "held")
    asked = [one for one in mail_tables.letters_to("bob") if one.message_id.startswith("<confirm")]
    is_erased(mail_tables)
    assert (mail_tables.mail_state(named), mail_tables.mail_state(plain)) == ("refused", "held"), (
        "what is notation may still be confirmed"
    )
    assert not quoting(mail_tables, NAME.lower())
    late = mail_tables.reply("bob", "yes", to=asked[0], quote=False)
    mail_tables.exchange()
    assert mail_tables.mail_state(late) == "stale"
    mail_tables.reply("bob", "yes", to=asked[1], quote=False)
    mail_tables.exchange()
    assert mail_tables.mail_state(plain) == "confirmed"


def test_s50_while_a_mail_of_another_at_the_table_is_not_worked_off_the_erasure_is_not_done(small_post):
    mail_tables = small_post
    game = plays(mail_tables)
    waits = mail_tables.reply("bob", f"say to {NAME}: hello", to=about(mail_tables, "bob", game))
    mail_tables.execute("UPDATE inbound SET not_before = :later", later=mail_tables.clock.at + 10**12)
    is_erased(mail_tables)
    assert mail_tables.mail_state(waits) == "received"
    assert erasures(mail_tables)[0]["done_at"] is None
    mail_tables.execute("UPDATE inbound SET not_before = 0")
    mail_tables.exchange()
    mail_tables.advance(minutes=11)
    housekeep(mail_tables.services)
    assert erasures(mail_tables)[0]["done_at"] == mail_tables.clock.at
    assert not quoting(mail_tables, NAME.lower())


def test_s50_an_order_of_another_from_the_same_address_that_is_not_worked_off_yet_is_done(small_post):
    mail_tables = small_post
    letter = about(mail_tables, "bob", plays(mail_tables, NAME, "ann", "cyd"))
    number = mail_tables.accept_mail(
        mail_tables.write_reply("bob", f"say {WROTE}", to=letter), letter, sender=f"{WHO}@people.example"
    )
    assert erase.erase(mail_tables.services, mail_tables.ids[WHO]) is not None
    mail_tables.exchange()
    assert mail_tables.mail_state(number) == "applied"
    mail_tables.advance(minutes=11)
    housekeep(mail_tables.services)
    assert WHO not in str(mail_tables.mails(id=number)), "no table is shared, so it is found by its number"
    assert (erasures(mail_tables)[0]["mails"], erasures(mail_tables)[0]["done_at"]) == ("", mail_tables.clock.at)


@pytest.mark.parametrize("name", ["4711", "r2d2", "ann5"])
def test_s50_a_name_with_digits_is_no_word_of_the_notation(small_post, name):
    mail_tables = small_post
    game = plays(mail_tables, name)
    for text in (f"say {name}", "say yellow 4 irish"):
        mail_tables.reply("bob", text, to=about(mail_tables, "bob", game), verdict=None)
    mail_tables.exchange()
    is_erased(mail_tables)
    assert not quoting(mail_tables, f"say {name}")
    assert quoting(mail_tables, "say yellow 4 irish"), "what is notation stays"


def test_s50_what_is_done_with_is_not_done_again_while_a_seat_is_left(small_post, monkeypatch):
    mail_tables = small_post
    game = plays(mail_tables)
    mail_tables.execute("UPDATE games SET ruleset = 'chess' WHERE id = :game", game=game)
    looked = []
    strikes = redact.strike_from_answers
    monkeypatch.setattr(redact, "strike_from_answers", lambda *all_: looked.append(1) or strikes(*all_))
    is_erased(mail_tables)
    for _ in range(3):
        mail_tables.advance(minutes=11)
        housekeep(mail_tables.services)
    assert looked == [1]
    assert erasures(mail_tables)[0]["done_at"] is None
    mail_tables.execute("UPDATE games SET ruleset = 'tammany-hall' WHERE id = :game", game=game)
    mail_tables.advance(minutes=11)
    housekeep(mail_tables.services)
    assert erasures(mail_tables)[0]["done_at"] == mail_tables.clock.at
    assert mail_tables.head(game).table.chairs[1].vacant


def test_s50_an_erasure_that_cannot_go_on_stops_neither_the_others_nor_the_housekeeping(small_post, monkeypatch):
    mail_tables = small_post
    for name in (WHO, "ann"):
        mail_tables.player(name)
        erase.erase(mail_tables.services, mail_tables.ids[name])
    mail_tables.deliver()
    strikes = redact.strike_from_answers

    def fails(database, sealer, player, upto):
        if player == mail_tables.ids[WHO]:
            raise RuntimeError(player)
        strikes(database, sealer, player, upto)

    monkeypatch.setattr(redact, "strike_from_answers", fails)
    mail_tables.advance(minutes=11)
    housekeep(mail_tables.services)
    done = {row["player_id"]: row["done_at"] for row in erasures(mail_tables)}
    assert done == {mail_tables.ids[WHO]: None, mail_tables.ids["ann"]: mail_tables.clock.at}


# Guests


def test_s50_a_guest_who_is_no_player_is_forgotten_by_address(tables):
    mail_tables = tables
    game = mail_tables.open("ann", public=False, seats=3, invite=["guest@people.example", "other@people.example"])
    mail_tables.exchange()
    with mail_tables.services.database.write() as tx:
        unsubscribes.mute(mail_tables.services.database, tx, "other@people.example", "")
        assert erase.find(tx, "guest@people.example") is None
    assert {place.partition(".")[0] for place in quoting(mail_tables, "guest@")} >= {
        "invitations",
        "notices",
        "deliveries",
        "reply_tokens",
    }
    assert erase.erase_guest(mail_tables.services, "Guest@people.example") is not None
    assert not quoting(mail_tables, "guest@")
    assert {place.partition(".")[0] for place in quoting(mail_tables, "other@")} >= {
        "invitations",
        "notices",
        "deliveries",
        "mutes",
    }
    assert erase.erase_guest(mail_tables.services, "guest@people.example") is None
    mail_tables.advance(minutes=11)
    housekeep(mail_tables.services)
    assert mail_tables.head(game).table.host == mail_tables.ids["ann"]
    assert erasures(mail_tables)[0]["done_at"] == mail_tables.clock.at


# The journal


def test_s50_who_comes_back_with_a_backup_is_erased_again_by_the_journal_and_not_written_to(small_post):
    mail_tables = small_post
    plays(mail_tables)
    kept = {table: rows_of(mail_tables, table) for table in (table_of("players"), table_of("inbound"))}
    is_erased(mail_tables)
    letters = len(mail_tables.carrier.letters)
    journal = erasure_journal.path(mail_tables.services.settings.data_dir)
    assert journal.read_text().count("\n") == 1
    assert WHO not in journal.read_text()
    with mail_tables.services.database.write() as tx:
        tx.execute(sa.delete(table_of("erasures")))
        tx.execute(sa.delete(table_of("players")))
        tx.execute(sa.insert(table_of("players")), kept[table_of("players")])
    assert marked(mail_tables)
    assert erasure_journal.read(mail_tables.services.settings.data_dir) == [mail_tables.ids[WHO]]
    for one in erasure_journal.read(mail_tables.services.settings.data_dir):
        assert erase.erase(mail_tables.services, one, again=True) is not None
    mail_tables.deliver()
    assert len(mail_tables.carrier.letters) == letters
    assert marked(mail_tables) == {}
    assert journal.read_text().count("\n") == 1


def rows_of(mail_tables: Tables, table: sa.Table) -> list[dict]:
    with mail_tables.services.database.read() as connection:
        return [dict(row) for row in connection.execute(sa.select(table)).mappings()]


def test_s50_who_is_nobody_gets_no_answer_and_bounces_of_old_mails_are_not_kept(small_post):
    mail_tables = small_post
    running = lives(mail_tables)[0]
    letter, before = about(mail_tables, WHO, running), len(mail_tables.carrier.letters)
    is_erased(mail_tables)
    version = mail_tables.version(running)
    with pytest.raises(NotAccepted, match="550"):
        mail_tables.reply(WHO, "status", to=letter)
    raw = f"From: <>\r\nSubject: failed\r\n\r\n{WHO}@people.example {letter.message_id}\r\n".encode()
    number = inbox.accept(mail_tables.services, InboundMail(raw, letter.return_path, f"{WHO}@people.example", "lmtp"))
    mail_tables.exchange()
    assert (mail_tables.mail_state(number), mail_tables.version(running)) == ("ignored", version)
    assert marked(mail_tables) == {}
    assert not [
        one for one in mail_tables.carrier.letters[before:] if one.to.startswith(WHO) and "erased" not in one.message_id
    ]


def test_s50_the_link_that_stops_mail_keeps_nothing_about_nobody(small_post):
    mail_tables = small_post
    mail_tables.rename(WHO, NAME)
    is_erased(mail_tables)
    with mail_tables.services.database.write() as tx:
        unsubscribes.mute(mail_tables.services.database, tx, mail_tables.ids[WHO], "somegame00")
        assert not unsubscribes.is_muted(tx, mail_tables.ids[WHO], "somegame00")


def test_s50_a_letter_that_was_on_its_way_gives_nothing_back(small_post):
    """It was composed before, and is settled after: its lease is lost, and its addresses are good for nothing."""
    mail_tables = small_post
    mail_tables.rename(WHO, NAME)
    mail_tables.begin("ann", WHO)

    def meanwhile(point: str) -> None:
        if point == "sent" and mail_tables.carrier.letters[-1].to.startswith(WHO):
            erase.erase(mail_tables.services, mail_tables.ids[WHO])

    mail_tables.deliver(fault=meanwhile)
    letter = mail_tables.letters_to(WHO)[0]
    mail_tables.advance(minutes=11)
    housekeep(mail_tables.services)
    assert marked(mail_tables) == {}
    with pytest.raises(NotAccepted):
        mail_tables.reply(WHO, "status", to=letter)


def test_in_31_mails_of_others_at_the_table_keep_what_must_be_known_and_no_free_words(small_post):
    mail_tables = small_post
    lives(mail_tables)
    with mail_tables.services.database.read() as connection:
        theirs = sa.select(table_of("inbound").c.id).where(table_of("inbound").c.player_id == mail_tables.ids["bob"])
        numbers = list(connection.execute(theirs).scalars())
    is_erased(mail_tables)
    kept = [row for row in mail_tables.mails() if row["id"] in numbers]
    assert [row["id"] for row in kept] == numbers
    assert all(row["raw"] is None and row["digest"] for row in kept if row["state"] != "received")


def test_s50_the_development_mailbox_loses_what_went_to_them_and_came_from_them(
    open_services, migrated_sqlite, manual_clock
):
    mail_tables = Tables(open_services(migrated_sqlite, clock=manual_clock, MAIL_IN="off"), manual_clock)
    mail_tables.rename(WHO, NAME)
    folder = development_mailbox.Folder(mail_tables.services.settings.data_dir / "mailbox")
    folder.deliver(f"To: {NAME} <{WHO.upper()}@people.example>\r\n\r\nhello\r\n".encode())
    folder.deliver(f"From: {WHO}@people.example\r\nTo: x@{DOMAIN}\r\n\r\nhello\r\n".encode())
    folder.deliver(b"To: ann@people.example\r\n\r\nhello\r\n")
    is_erased(mail_tables)
    assert [one.header("To") for one in development_mailbox.letters(folder)] == ["ann@people.example"]


@pytest.mark.parametrize(
    "header", [b"To: foo <\xff\xfe@x>", b"From: \"", b"From: a@b@c, <<<", b"To: =?utf-8?b?!!!?= <>", b"To: [", b"To:\n",
               b"To: \r\x00", b"Cc: group: ", b"To: =?utf-8?q?=0a?=@x", b"To: x <a@b>;;:"]
)  # fmt: skip
def test_s50_a_message_with_broken_headers_keeps_nobody_from_being_forgotten(tmp_path, header):
    folder = development_mailbox.Folder(tmp_path)
    folder.deliver(header + b"\r\n\r\nhello\r\n")
    folder.deliver(b"To: <<<, Ann@x\r\n\r\nhello\r\n")
    assert development_mailbox.forget(folder, "ann@x") == 1
    assert len(list(folder.files())) == 1


def test_s50_a_message_that_a_mail_program_moves_meanwhile_is_forgotten_too(tmp_path, monkeypatch):
    folder = development_mailbox.Folder(tmp_path)
    folder.deliver(b"To: ann@x\r\n\r\nhello\r\n")
    read = Path.read_bytes

    def moves(path: Path) -> bytes:
        if path.parent.name == "new":
            path.rename(tmp_path / "cur" / f"{path.name}:2,S")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", moves)
    assert development_mailbox.forget(folder, "ann@x") == 1
    assert not list(folder.files())
