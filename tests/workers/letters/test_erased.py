"""A person with a mark in every field does every kind of thing, is erased, and the marks are nowhere (S-50, F-68)."""

import logging
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

from domain.audit.verify_history import audit
from service.accounts import idempotency, sign_in
from service.clocks import leave_days
from service.container import Services
from service.games import chat, history_queries, views
from service.integrity import key_rotation
from service.integrity.audit import audit_game
from service.mail import deliverability, development_mailbox, inbox, unsubscribes
from service.mail.inbox import InboundMail, NotAccepted
from service.notify import subscriptions
from service.privacy import erase, erasure_journal, final_mail, redact
from service.privacy.data_map import SECTIONS
from service.store.deliveries import deliveries
from service.store.mailboxes import mailboxes
from service.store.personal_data import table_of
from tests.databases import BOTH
from tests.notices import mail_in
from tests.workers.office import Hands, parsed, text_of
from tests.workers.post import DOMAIN, SETTINGS, Post
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
def house(request: pytest.FixtureRequest, open_services: Callable[..., Services], hands: Hands) -> Post:
    """A post office on each database."""
    url = request.getfixturevalue(f"migrated_{request.param}")
    return Post(open_services(url, clock=hands, durable=True, WEBHOOK_HOSTS="127.0.0.1:9", **SETTINGS), hands)


@pytest.fixture
def small_post(migrated_sqlite: str, open_services: Callable[..., Services], hands: Hands) -> Post:
    """One on SQLite, for what does not depend on the database."""
    return Post(open_services(migrated_sqlite, clock=hands, WEBHOOK_HOSTS="127.0.0.1:9", **SETTINGS), hands)


def lives(post: Post) -> list[str]:
    """She plays three games, talks, writes, goes on leave, is written to, and is in trouble. Her games."""
    services, her = post.services, post.named(WHO, NAME, ZONE)
    for name in ("ann", "bob"):
        post.person(name)
    running = post.begins("ann", WHO, "bob", options={"rounds": "3"})
    private = post.opens("ann", public=False, invite=[f"{WHO}@people.example"])
    closed = post.opens(WHO, nonce=NONCE, invite=["guest@people.example"])
    over = post.begins("bob", WHO, options={"rounds": "1"})
    post.round()
    post.wanders(over, 1, late=0)
    with services.database.write() as tx:
        chat.say(services, tx, running, her, f"I like {SAID}", to=None)
        chat.say(services, tx, running, post.ids["ann"], "who does not", to=None)
        hook, _ = subscriptions.register(services, tx, her, f"http://127.0.0.1:9/{HOOK}")
        subscriptions.send_ping(services, tx, her, hook.id)
        leave_days.announce(tx, her, date(2031, 7, 17), date(2031, 7, 19), services.database.clock.now(tx))
        unsubscribes.mute(services.database, tx, her, over)
        sign_in.ask(services, tx, f"{WHO}@people.example")
        key = idempotency.claim(post.ids["bob"], "key", "POST", "/games", b"")
        idempotency.replay(services.database, services.sealer, tx, key)
        head = services.streams.head(tx, running)
        said = str(views.position(tx, head, 2)).replace("'", '"').replace("None", "null")
        said = said.replace("True", "true").replace("False", "false")
        idempotency.keep(services.sealer, tx, key, idempotency.Answer(201, [], said.encode()))
        own = idempotency.claim(her, "key", "POST", "/games", b"")
        idempotency.replay(services.database, services.sealer, tx, own)
        idempotency.keep(services.sealer, tx, own, idempotency.Answer(201, [], NAME.encode()))
    post.hands.advance(hours=1)
    post.round()
    post.answers(WHO, f"say {WROTE}", to=about(post, WHO, running))
    post.answers(WHO, f"{WROTE} is no order", to=about(post, WHO, running), verdict=None)
    post.round()
    post.answers(WHO, "status", to=about(post, WHO, running), verdict=None)  # waits for her yes
    post.round()
    post.answers("bob", f"say to {NAME}: hello", to=about(post, "bob", running))
    post.answers("bob", "status", to=about(post, "bob", running), address=f"{WHO}@people.example", verdict=None)
    post.hands.advance(hours=1)
    post.round()
    bounces(post, post.newest(WHO), f"550 5.1.1 {WHO}@people.example is unknown")
    post.answers(WHO, f"say {WROTE} again", to=about(post, WHO, running))  # is not worked off yet
    return [running, private, closed, over]


def about(post: Post, name: str, game: str) -> Letter:
    return [one for one in post.to(name) if "Reply-To" in parsed(one) and game in str(parsed(one)["Subject"])][-1]


def bounces(post: Post, letter: Letter, said: str) -> None:
    """A mail server gives a letter back, in a mail and to our face."""
    row = next(one for one in post.notices(message_id=letter.message_id))
    with post.services.database.write() as tx:
        deliverability.count_refusal(post.services, tx, mail_in(tx, row), hard=True, diagnostic=said)
        tx.execute(sa.update(deliveries).where(deliveries.c.notice_id == row["id"]).values(reason=said))
    raw = f"From: <>\r\nSubject: failed\r\n\r\n{said}\r\n{letter.message_id}\r\n".encode()
    inbox.accept(post.services, InboundMail(raw, letter.return_path, "", "lmtp"))


def everything(post: Post) -> Iterator[tuple[str, str]]:
    """Every value of every table, sealed ones opened: where it stands, and what it says."""
    services = post.services
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


def marked(post: Post) -> dict[str, str]:
    """Where a mark of hers stands."""
    return {
        place: mark for place, said in everything(post) for mark in MARKS if mark in said.lower().replace("=\r\n", "")
    }


def is_erased(post: Post) -> None:
    assert erase.erase(post.services, post.ids[WHO]) is not None
    post.delivers()
    post.hands.advance(minutes=11)
    housekeep(post.services)


def test_s50_nothing_that_says_who_she_was_is_left_in_any_table_log_or_file(house, caplog, capfd):
    post = house
    games = lives(post)
    assert {place.rpartition(".")[0].removeprefix("opened ") for place in marked(post)} >= {
        "players", "notices", "deliveries", "inbound", "messages", "webhooks", "absences", "mailboxes", "invitations",
        "idempotency",
    }, "she left marks everywhere"  # fmt: skip
    with post.services.database.read() as connection:
        ids = {row[0] for row in connection.execute(sa.select(table_of("messages").c.player_id))}
        filled = {section.name for section in SECTIONS if connection.execute(
            sa.select(sa.func.count()).select_from(table_of(section.theirs.table))).scalar()}  # fmt: skip
    assert filled >= {section.name for section in SECTIONS} - {"erasure", "missed_deadlines"}, "and in every table"
    with caplog.at_level(logging.DEBUG), capfd.disabled():
        is_erased(post)
    assert marked(post) == {}
    assert not [mark for mark in MARKS for line in caplog.messages if mark in line.lower()]
    assert post.ids[WHO] in ids
    with post.services.database.read() as connection:
        assert connection.execute(sa.select(table_of("erasures").c.done_at)).scalar_one() == post.hands.at
        for game in games:
            head = post.services.streams.head(connection, game)
            report = audit(history_queries.export(post.services, connection, head, 0))
            assert report.ok, report
            assert not audit_game(post.services, game, thorough=True).findings, "by the rules, and nothing amiss"
            assert (
                post.ids[WHO] in str(list(history_queries.export(post.services, connection, head, 0)))
                or game == games[1]
            )
    if post.services.database.is_sqlite:
        file = Path(post.services.database.engine.url.database)
        beside = [one for one in file.parent.glob(f"{file.name}*") if one.is_file()]
        assert file in beside
        assert not [(one.name, mark) for one in beside for mark in MARKS if mark.encode() in one.read_bytes().lower()]


def test_s50_the_games_go_on_and_letters_and_stories_say_a_former_player(small_post):
    post = small_post
    running = lives(post)[0]
    is_erased(post)
    sent = len(post.carrier.letters)
    while post.phase(running) != "over":
        post.steps(running)
        post.round()
    letters = post.carrier.letters[sent:]
    assert {letter.to for letter in letters} <= {f"{name}@people.example" for name in ("ann", "bob")}
    pawn = post.head(running).rules.notation.pawns[1]
    assert any(f"a former player ({pawn})" in text_of(letter) for letter in letters)
    assert not [mark for mark in (WHO, NAME.lower()) for letter in letters if mark in text_of(letter).lower()]


def test_s50_one_last_mail_says_so_and_its_address_goes_with_it(house):
    post = house
    post.named(WHO, NAME)
    with post.services.database.write() as tx:
        tx.execute(sa.text("UPDATE players SET language = 'de' WHERE id = :id"), {"id": post.ids[WHO]})
    erase.erase(post.services, post.ids[WHO])
    assert WHO not in str(post.notices())
    post.delivers()
    assert [letter.to for letter in post.carrier.letters] == [f"{WHO}@people.example"]
    assert NAME not in str(parsed(post.carrier.letters[0]))
    assert marked(post) == {}
    assert post.notices(kind=final_mail.KIND)[0]["secret"] is None


def test_s50_a_last_mail_is_tried_for_a_day_then_its_address_is_gone(small_post):
    """A mail server that does not know us takes it at a later attempt; what it says may quote the address."""
    post = small_post
    post.named(WHO, NAME)
    post.carrier.before.extend([Deferred(f"451 {WHO}@people.example is busy")] * 99)
    is_erased(post)
    (waits,) = post.notices()
    assert (waits["state"], WHO in str(waits)) == ("queued", False)
    assert set(marked(post)) == {"opened notices.secret"}
    post.hands.advance(hours=23)
    post.delivers()
    housekeep(post.services)
    assert post.notices()
    post.hands.advance(hours=1)
    housekeep(post.services)
    assert not post.notices()
    assert marked(post) == {}
    assert erasures(post)[0]["done_at"] == post.hands.at


def test_s50_a_last_mail_that_is_taken_late_goes_with_its_address(small_post, caplog):
    post = small_post
    post.named(WHO, NAME)
    post.carrier.before.extend([Deferred(f"451 {WHO}@people.example is busy")] * 2)
    is_erased(post)
    post.hands.advance(hours=2)
    post.delivers()
    post.hands.advance(hours=2)
    post.delivers()
    assert [letter.to for letter in post.carrier.letters] == [f"{WHO}@people.example"]
    housekeep(post.services)
    assert not post.notices()
    assert not [line for line in caplog.messages if WHO in line]


def test_s50_who_called_our_mail_spam_gets_no_last_one(small_post):
    post = small_post
    post.named(WHO, NAME)
    with post.services.database.write() as tx:
        box = {"address": f"{WHO}@people.example", "suppressed_at": 5, "reason": deliverability.COMPLAINT}
        tx.execute(sa.insert(mailboxes).values(score=0, scored_at=0, **box))
    is_erased(post)
    assert not post.carrier.letters
    assert not post.notices()


def erasures(post: Post) -> list[dict]:
    with post.services.database.read() as connection:
        return [dict(row) for row in connection.execute(sa.select(table_of("erasures"))).mappings()]


def quoting(post: Post, *words: str) -> set[str]:
    """Where one of these stands, outside of bytes."""
    return {place for place, said in everything(post) for word in words if word in said.lower()}


# What others wrote, and cannot be reduced yet


def plays(post: Post, name: str = NAME, *others: str) -> str:
    """A game with her, or with `others`, in which Bob is asked first."""
    post.named(WHO, name)
    while "bob" not in post.ids or not post.to("bob"):
        game = post.begins(*(others or ("ann", WHO)), "bob", kind="tammany-hall")
        post.round()
    return game


def test_s50_a_mail_of_another_that_waits_for_a_yes_and_names_her_is_refused_without_its_words(small_post):
    post = small_post
    game = plays(post)
    named = post.answers("bob", f"say to {NAME}: hello", to=about(post, "bob", game), verdict=None)
    legal = post.legal(game, post.awaited(game)[0])[0]
    plain = post.answers("bob", legal, to=about(post, "bob", game), verdict=None)
    post.round()
    assert (post.state(named), post.state(plain)) == ("held", "held")
    asked = [one for one in post.to("bob") if one.message_id.startswith("<confirm")]
    is_erased(post)
    assert (post.state(named), post.state(plain)) == ("refused", "held"), "what is notation may still be confirmed"
    assert not quoting(post, NAME.lower())
    late = post.answers("bob", "yes", to=asked[0], quote=False)
    post.round()
    assert post.state(late) == "stale"
    post.answers("bob", "yes", to=asked[1], quote=False)
    post.round()
    assert post.state(plain) == "confirmed"


def test_s50_while_a_mail_of_another_at_the_table_is_not_worked_off_the_erasure_is_not_done(small_post):
    post = small_post
    game = plays(post)
    waits = post.answers("bob", f"say to {NAME}: hello", to=about(post, "bob", game))
    post.executes("UPDATE inbound SET not_before = :later", later=post.hands.at + 10**12)
    is_erased(post)
    assert post.state(waits) == "received"
    assert erasures(post)[0]["done_at"] is None
    post.executes("UPDATE inbound SET not_before = 0")
    post.round()
    post.hands.advance(minutes=11)
    housekeep(post.services)
    assert erasures(post)[0]["done_at"] == post.hands.at
    assert not quoting(post, NAME.lower())


def test_s50_an_order_of_another_from_the_same_address_that_is_not_worked_off_yet_is_done(small_post):
    post = small_post
    letter = about(post, "bob", plays(post, NAME, "ann", "cyd"))
    number = post.brings(post.reply("bob", f"say {WROTE}", to=letter), letter, sender=f"{WHO}@people.example")
    assert erase.erase(post.services, post.ids[WHO]) is not None
    post.round()
    assert post.state(number) == "applied"
    post.hands.advance(minutes=11)
    housekeep(post.services)
    assert WHO not in str(post.mails(id=number)), "no table is shared, so it is found by its number"
    assert (erasures(post)[0]["mails"], erasures(post)[0]["done_at"]) == ("", post.hands.at)


@pytest.mark.parametrize("name", ["4711", "r2d2", "ann5"])
def test_s50_a_name_with_digits_is_no_word_of_the_notation(small_post, name):
    post = small_post
    game = plays(post, name)
    for text in (f"say {name}", "say yellow 4 irish"):
        post.answers("bob", text, to=about(post, "bob", game), verdict=None)
    post.round()
    is_erased(post)
    assert not quoting(post, f"say {name}")
    assert quoting(post, "say yellow 4 irish"), "what is notation stays"


def test_s50_what_is_done_with_is_not_done_again_while_a_seat_is_left(small_post, monkeypatch):
    post = small_post
    game = plays(post)
    post.executes("UPDATE games SET ruleset = 'chess' WHERE id = :game", game=game)
    looked = []
    strikes = redact.strike_from_answers
    monkeypatch.setattr(redact, "strike_from_answers", lambda *all_: looked.append(1) or strikes(*all_))
    is_erased(post)
    for _ in range(3):
        post.hands.advance(minutes=11)
        housekeep(post.services)
    assert looked == [1]
    assert erasures(post)[0]["done_at"] is None
    post.executes("UPDATE games SET ruleset = 'tammany-hall' WHERE id = :game", game=game)
    post.hands.advance(minutes=11)
    housekeep(post.services)
    assert erasures(post)[0]["done_at"] == post.hands.at
    assert post.head(game).table.chairs[1].vacant


def test_s50_an_erasure_that_cannot_go_on_stops_neither_the_others_nor_the_housekeeping(small_post, monkeypatch):
    post = small_post
    for name in (WHO, "ann"):
        post.person(name)
        erase.erase(post.services, post.ids[name])
    post.delivers()
    strikes = redact.strike_from_answers

    def fails(database, sealer, player, upto):
        if player == post.ids[WHO]:
            raise RuntimeError(player)
        strikes(database, sealer, player, upto)

    monkeypatch.setattr(redact, "strike_from_answers", fails)
    post.hands.advance(minutes=11)
    housekeep(post.services)
    done = {row["player_id"]: row["done_at"] for row in erasures(post)}
    assert done == {post.ids[WHO]: None, post.ids["ann"]: post.hands.at}


# Guests


def test_s50_a_guest_who_is_no_player_is_forgotten_by_address(house):
    post = house
    game = post.opens("ann", public=False, seats=3, invite=["guest@people.example", "other@people.example"])
    post.round()
    with post.services.database.write() as tx:
        unsubscribes.mute(post.services.database, tx, "other@people.example", "")
        assert erase.find(tx, "guest@people.example") is None
    assert {place.partition(".")[0] for place in quoting(post, "guest@")} >= {
        "invitations",
        "notices",
        "deliveries",
        "reply_tokens",
    }
    assert erase.erase_guest(post.services, "Guest@people.example") is not None
    assert not quoting(post, "guest@")
    assert {place.partition(".")[0] for place in quoting(post, "other@")} >= {
        "invitations",
        "notices",
        "deliveries",
        "mutes",
    }
    assert erase.erase_guest(post.services, "guest@people.example") is None
    post.hands.advance(minutes=11)
    housekeep(post.services)
    assert post.head(game).table.host == post.ids["ann"]
    assert erasures(post)[0]["done_at"] == post.hands.at


# The journal


def test_s50_who_comes_back_with_a_backup_is_erased_again_by_the_journal_and_not_written_to(small_post):
    post = small_post
    plays(post)
    kept = {table: rows_of(post, table) for table in (table_of("players"), table_of("inbound"))}
    is_erased(post)
    letters = len(post.carrier.letters)
    journal = erasure_journal.path(post.services.settings.data_dir)
    assert journal.read_text().count("\n") == 1
    assert WHO not in journal.read_text()
    with post.services.database.write() as tx:
        tx.execute(sa.delete(table_of("erasures")))
        tx.execute(sa.delete(table_of("players")))
        tx.execute(sa.insert(table_of("players")), kept[table_of("players")])
    assert marked(post)
    assert erasure_journal.read(post.services.settings.data_dir) == [post.ids[WHO]]
    for one in erasure_journal.read(post.services.settings.data_dir):
        assert erase.erase(post.services, one, again=True) is not None
    post.delivers()
    assert len(post.carrier.letters) == letters
    assert marked(post) == {}
    assert journal.read_text().count("\n") == 1


def rows_of(post: Post, table: sa.Table) -> list[dict]:
    with post.services.database.read() as connection:
        return [dict(row) for row in connection.execute(sa.select(table)).mappings()]


def test_s50_who_is_nobody_gets_no_answer_and_bounces_of_old_mails_are_not_kept(small_post):
    post = small_post
    running = lives(post)[0]
    letter, before = about(post, WHO, running), len(post.carrier.letters)
    is_erased(post)
    version = post.version(running)
    with pytest.raises(NotAccepted, match="550"):
        post.answers(WHO, "status", to=letter)
    raw = f"From: <>\r\nSubject: failed\r\n\r\n{WHO}@people.example {letter.message_id}\r\n".encode()
    number = inbox.accept(post.services, InboundMail(raw, letter.return_path, f"{WHO}@people.example", "lmtp"))
    post.round()
    assert (post.state(number), post.version(running)) == ("ignored", version)
    assert marked(post) == {}
    assert not [
        one for one in post.carrier.letters[before:] if one.to.startswith(WHO) and "erased" not in one.message_id
    ]


def test_s50_the_link_that_stops_mail_keeps_nothing_about_nobody(small_post):
    post = small_post
    post.named(WHO, NAME)
    is_erased(post)
    with post.services.database.write() as tx:
        unsubscribes.mute(post.services.database, tx, post.ids[WHO], "somegame00")
        assert not unsubscribes.is_muted(tx, post.ids[WHO], "somegame00")


def test_s50_a_letter_that_was_on_its_way_gives_nothing_back(small_post):
    """It was composed before, and is settled after: its lease is lost, and its addresses are good for nothing."""
    post = small_post
    post.named(WHO, NAME)
    post.begins("ann", WHO)

    def meanwhile(point: str) -> None:
        if point == "sent" and post.carrier.letters[-1].to.startswith(WHO):
            erase.erase(post.services, post.ids[WHO])

    post.delivers(fault=meanwhile)
    letter = post.to(WHO)[0]
    post.hands.advance(minutes=11)
    housekeep(post.services)
    assert marked(post) == {}
    with pytest.raises(NotAccepted):
        post.answers(WHO, "status", to=letter)


def test_in_31_mails_of_others_at_the_table_keep_what_must_be_known_and_no_free_words(small_post):
    post = small_post
    lives(post)
    with post.services.database.read() as connection:
        theirs = sa.select(table_of("inbound").c.id).where(table_of("inbound").c.player_id == post.ids["bob"])
        numbers = list(connection.execute(theirs).scalars())
    is_erased(post)
    kept = [row for row in post.mails() if row["id"] in numbers]
    assert [row["id"] for row in kept] == numbers
    assert all(row["raw"] is None and row["digest"] for row in kept if row["state"] != "received")


def test_s50_the_development_mailbox_loses_what_went_to_them_and_came_from_them(open_services, migrated_sqlite, hands):
    post = Post(open_services(migrated_sqlite, clock=hands, MAIL_IN="off"), hands)
    post.named(WHO, NAME)
    folder = development_mailbox.Folder(post.services.settings.data_dir / "mailbox")
    folder.deliver(f"To: {NAME} <{WHO.upper()}@people.example>\r\n\r\nhello\r\n".encode())
    folder.deliver(f"From: {WHO}@people.example\r\nTo: x@{DOMAIN}\r\n\r\nhello\r\n".encode())
    folder.deliver(b"To: ann@people.example\r\n\r\nhello\r\n")
    is_erased(post)
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
