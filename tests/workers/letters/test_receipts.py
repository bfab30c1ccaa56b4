"""Every mail about a game is a witness of it: a signed checkpoint in its header, a receipt in its text (S-44, A-14)."""

import re
from collections.abc import Callable, Iterator
from email.parser import BytesHeaderParser, Parser
from email.policy import compat32
from pathlib import Path

import pytest

from domain.audit.checkpoints import HEADER, Signed, read_header, read_receipt
from service.container import Services
from service.kernel.encryption import Sealer
from service.kernel.signing import Signer, genuine
from tests.letters import html_of, text_of
from tests.manual_clock import ManualClock
from tests.tables import SETTINGS, Tables
from tests.witnesses import RECEIPT
from tests.workers.letters.test_digests import digests_to, goes_to, wants
from workers.mail_out.header_lines import LINE
from workers.mail_out.letter import Letter

GOLDEN = Path(__file__).parents[1] / "sessions" / "golden"
WRITTEN = re.compile(rf"\b[0-9]+-{RECEIPT.partition(')')[2]}\b")
LETTER = re.compile(r"^==== a letter to .*\n((?:.+\n)+)\n((?:.*\n)*?)---- all of it", re.MULTILINE)
KEY = Signer(Sealer(["k" * 32]))
OLD, NEW = "o" * 40, "n" * 40


def headers(letter: Letter) -> list[Signed]:
    """The checkpoints of a letter as any program that reads mail finds them."""
    message = BytesHeaderParser(policy=compat32).parsebytes(letter.data)
    return [read_header(value) for value in message.get_all(HEADER, [])]


def receipts(text: str) -> list[str]:
    return WRITTEN.findall(text)


# Over all golden sessions


def letters() -> Iterator[tuple[str, str]]:
    """Header and text of every letter that is kept there."""
    for file in sorted(GOLDEN.glob("*.txt")):
        for found in LETTER.finditer(file.read_text()):
            yield found[1], found[2]


def test_s44_every_mail_about_a_game_has_a_checkpoint_and_its_receipt_whatever_its_kind_and_language():
    kinds = set()
    for head, text in letters():
        message = Parser(policy=compat32).parsestr(head, headersonly=True)
        about_game = message["List-Id"].startswith("<game-") if message["List-Id"] else False
        signed = [read_header(value) for value in message.get_all(HEADER, [])]
        assert len(signed) == about_game
        for one in signed:
            kinds.add(message["Message-ID"].strip().strip("<").partition(".")[0])
            assert message["Subject"].count(one.checkpoint.game) == 1 or "=?" in message["Subject"]
            assert receipts(text)[-1] == one.receipt()
            assert f"{one.checkpoint.version}, " in text
            assert one.checkpoint.hash in text
            assert one.key == KEY.key_id
            assert genuine(KEY.public, one.checkpoint.message(), one.signature)
    assert kinds == {"answer", "begin", "confirm", "deadline-passed", "taken-back", "talk", "your-turn"}, (
        "others: the correspondence"
    )


# In the bytes


def test_s45_the_header_is_short_lines_of_ascii_that_unfold_to_what_was_signed(mail_tables):
    game = mail_tables.begin("ann", "bob", "cyd")
    mail_tables.exchange()
    letter = mail_tables.newest_letter("ann")
    lines = letter.data.partition(b"\r\n\r\n")[0].split(b"\r\n")
    first = next(number for number, line in enumerate(lines) if line.startswith(HEADER.encode() + b": v=1; game="))
    folded = [line for line in lines[first + 1 :] if line.startswith(b" ")]
    assert all(len(line) <= LINE for line in (lines[first], *folded))
    assert len(folded) >= 4
    (signed,) = headers(letter)
    head = mail_tables.head(game)
    assert (signed.checkpoint.game, signed.checkpoint.version) == (game, head.version)
    assert signed.checkpoint.hash == head.hash
    text, html = text_of(letter), html_of(letter)
    assert receipts(text) == receipts(html) == [signed.receipt()]
    (line,) = (line for line in text.splitlines() if line.startswith("Receipt: "))
    assert read_receipt(line).text == signed.receipt()
    lines = text.splitlines()
    assert lines[lines.index(line) - 1] == f"Version {head.version}, hash {head.hash}"
    assert lines[lines.index(line) + 1] == "(Keep this mail: its receipt proves what it says. If the history were ever"


def test_s44_a_mail_that_waits_is_signed_at_its_own_version(mail_tables):
    game = mail_tables.begin("ann", "bob", "cyd")
    (row,) = mail_tables.notices(recipient=mail_tables.ids["ann"])
    mail_tables.move(game, "bob", "hide 3")
    (signed,) = headers(mail_tables.compose(row))
    assert signed.checkpoint.version == row["version"] < mail_tables.head(game).version


def test_a_digest_has_a_checkpoint_of_every_game_it_tells_of_and_their_receipts(mail_tables):
    wants(mail_tables, "ann")
    games = [mail_tables.begin("ann", "bob", "cyd") for _ in range(3)]
    mail_tables.move(games[1], "bob", "hide 2")
    goes_to(mail_tables, "2031-03-05T08:00")
    (letter,) = digests_to(mail_tables, "ann")
    signed = {one.checkpoint.game: one for one in headers(letter)}
    assert signed.keys() == set(games)
    assert len(headers(letter)) == 3
    for game, one in signed.items():
        head = mail_tables.head(game)
        assert (one.checkpoint.version, one.checkpoint.hash) == (head.version, head.hash)
        assert genuine(mail_tables.services.signer.public, one.checkpoint.message(), one.signature)
        told = text_of(letter)[text_of(letter).index(f"/g/{game}\n") :]
        assert receipts(told)[0] == one.receipt()
    assert sorted(receipts(html_of(letter))) == sorted(receipts(text_of(letter)))
    assert text_of(letter).count("its receipt proves") == 1


def test_mail_about_no_game_has_none(mail_tables):
    mail_tables.request_code("ann")
    mail_tables.deliver()
    (letter,) = mail_tables.carrier.letters
    assert headers(letter) == receipts(text_of(letter)) == []


# Sent again


@pytest.fixture
def offices(
    migrated_sqlite: str, open_services: Callable[..., Services], manual_clock: ManualClock
) -> Callable[..., Tables]:
    """The tables after a restart with other secrets."""

    def make(before: Tables | None, **secrets: str) -> Tables:
        tables = Tables(open_services(migrated_sqlite, clock=manual_clock, **{**SETTINGS, **secrets}), manual_clock)
        tables.ids = before.ids if before else {}
        return tables

    return make


def test_rate02_a_mail_tried_again_after_the_secret_was_changed_is_signed_as_before(offices):
    first = offices(None, SECRET_KEY=OLD)
    game = first.begin("ann", "bob", "cyd")
    (row,) = first.notices(recipient=first.ids["ann"])
    before = headers(first.compose(row))
    second = offices(first, SECRET_KEY=NEW, SECRET_KEYS_OLD=OLD)
    assert headers(second.compose(row)) == before
    second.move(game, "bob", "hide 1")
    assert headers(second.compose(row)) == before
    assert [one.key for one in before] == [first.services.signer.key_id]
    second.move(game, "ann", "hide 3")
    second.move(game, "cyd", "hide 0")
    newest = second.notices(kind="your-turn")[-1]
    assert headers(second.compose(newest))[0].key == second.services.signer.key_id


def test_s44_a_game_older_than_its_checkpoints_is_signed_when_it_is_told_of(mail_tables):
    game = mail_tables.begin("ann", "bob", "cyd")
    engine = mail_tables.services.database.owner_engine()
    try:
        with engine.begin() as connection:
            for table in ("checkpoints", "signing_keys"):
                connection.exec_driver_sql(f"DROP TRIGGER {table}_no_delete")
                connection.exec_driver_sql(f"DELETE FROM {table}")
    finally:
        engine.dispose()
    mail_tables.advance(minutes=1)
    mail_tables.deliver()
    (signed,) = headers(mail_tables.newest_letter("ann"))
    assert signed.checkpoint.hash == mail_tables.head(game).hash
    assert genuine(mail_tables.services.signer.public, signed.checkpoint.message(), signed.signature)
