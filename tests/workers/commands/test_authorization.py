"""The default table of locks, row by row, through the whole of the postroom (PLAY-BY-EMAIL, "Recommended default")."""

from dataclasses import dataclass
from typing import Any

import pytest

from service.mail.inbox import NotAccepted
from tests.tables import MX, Tables
from tests.workers.mail_tables import mail_tables
from tests.workers.sessions.mails import raw_mail
from workers.commands.authorization import is_from, verdict
from workers.mail_out.letter import Letter

__all__ = ["mail_tables"]
STRANGER = "Mallory <mallory@elsewhere.example>"
ANN = "Ann <ann@people.example>"
READ, MOVE, GRAVE = "status", "hide 2", "leave"

TABLE: list[tuple[str, str | None, str, str, str]] = [
    # From, what our mail server found, what is asked, what becomes of it, the kind of letter to ann
    (ANN, "dmarc=pass", READ, "answered", "answer"),
    (ANN, "dmarc=pass", MOVE, "applied", "answer"),
    (ANN, "dmarc=pass", GRAVE, "held", "confirm"),
    (ANN, "dkim=pass header.d=people.example", MOVE, "applied", "answer"),
    (ANN, "spf=pass smtp.mailfrom=people.example", MOVE, "applied", "answer"),
    (ANN, None, READ, "answered", "answer"),
    (ANN, None, MOVE, "held", "confirm"),
    (ANN, None, GRAVE, "held", "answer"),
    (ANN, "dmarc=none", MOVE, "held", "confirm"),
    (ANN, "dmarc=temperror", MOVE, "held", "confirm"),
    (ANN, "dkim=pass header.d=elsewhere.example", MOVE, "held", "confirm"),
    (ANN, "spf=pass smtp.mailfrom=elsewhere.example", MOVE, "held", "confirm"),
    (ANN, "dmarc=fail", READ, "held", "answer"),
    (ANN, "dmarc=fail", MOVE, "held", "confirm"),
    (ANN, "dmarc=fail", GRAVE, "held", "answer"),
    (STRANGER, "dmarc=pass", READ, "held", "answer"),
    (STRANGER, "dmarc=pass", MOVE, "held", "confirm"),
    (STRANGER, "dmarc=pass", GRAVE, "held", "answer"),
    (STRANGER, None, READ, "held", "answer"),
    (STRANGER, None, MOVE, "held", "confirm"),
    (STRANGER, None, GRAVE, "held", "answer"),
    (STRANGER, "dmarc=fail", READ, "held", "answer"),
    (STRANGER, "dmarc=fail", MOVE, "held", "confirm"),
    (STRANGER, "dmarc=fail", GRAVE, "held", "answer"),
]
STALE: list[tuple[str, str | None, str, str, str]] = [
    (ANN, "dmarc=pass", READ, "answered", "answer"),
    (ANN, "dmarc=pass", MOVE, "stale", "answer"),
    (ANN, "dmarc=pass", GRAVE, "rejected", "answer"),
    (ANN, "dmarc=fail", READ, "shelved", ""),
    (ANN, "dmarc=fail", MOVE, "shelved", ""),
    (ANN, "dmarc=fail", GRAVE, "shelved", ""),
    (STRANGER, "dmarc=pass", READ, "shelved", ""),
    (STRANGER, "dmarc=pass", MOVE, "shelved", ""),
    (STRANGER, "dmarc=pass", GRAVE, "shelved", ""),
    (STRANGER, None, READ, "shelved", ""),
    (STRANGER, None, MOVE, "shelved", ""),
    (STRANGER, "dmarc=fail", MOVE, "shelved", ""),
]


def asked(mail_tables: Tables) -> tuple[str, Letter]:
    """ann owes an answer: her game, and the letter that says so."""
    game = mail_tables.begin("ann", "bob")
    mail_tables.exchange()
    return game, mail_tables.newest_letter("ann")


def seated(mail_tables: Tables) -> tuple[str, Letter]:
    """ann sits at a table that is still open, which she joined by mail."""
    game = mail_tables.open("bob", seats=3, invite=["ann@people.example"])
    mail_tables.exchange()
    mail_tables.reply("ann", "join Ann")
    mail_tables.exchange()
    return game, mail_tables.newest_letter("ann")


def closed(mail_tables: Tables) -> tuple[str, Letter]:
    """ann holds a letter whose question is closed."""
    game, letter = asked(mail_tables)
    mail_tables.move(game, 0, "hide 3")
    mail_tables.move(game, 1, "hide 1")
    mail_tables.exchange()
    return game, letter


@dataclass
class Knock:
    """What came of one mail."""

    state: str
    told: list[tuple[str, str]]
    events: int


def knock(
    mail_tables: Tables, game: str, letter: Letter, text: str, sender: str, found: str | None, **more: Any
) -> Knock:
    """One mail to the address of this letter."""
    mail_tables.carrier.letters.clear()
    mail_tables.sent += 1
    before = mail_tables.version(game)
    number = mail_tables.accept_mail(raw_mail(mail_tables, letter, text, sender=sender, auth=found, **more), letter)
    mail_tables.exchange()
    told = [(one.to, one.message_id[1:].partition(".")[0]) for one in mail_tables.carrier.letters]
    return Knock(mail_tables.mail_state(number), told, mail_tables.version(game) - before)


@pytest.mark.parametrize("sender, found, text, state, told", TABLE)
def test_the_table_while_the_question_is_open(
    mail_tables: Tables, sender: str, found: str | None, text: str, state: str, told: str
) -> None:
    game, letter = seated(mail_tables) if text == GRAVE else asked(mail_tables)
    came = knock(mail_tables, game, letter, text, sender, found)
    assert (came.state, came.told) == (state, [("ann@people.example", told)])
    assert came.events == (1 if state == "applied" else 0)


@pytest.mark.parametrize("sender, found, text, state, told", STALE)
def test_the_table_when_the_question_is_closed(
    mail_tables: Tables, sender: str, found: str | None, text: str, state: str, told: str
) -> None:
    came = knock(mail_tables, *closed(mail_tables), text, sender, found)
    assert (came.state, came.told) == (state, [("ann@people.example", told)] if told else [])
    assert came.events == 0


@pytest.mark.parametrize(
    "recipient", ["mv-" + "0" * 33, "mv-", "ann", "cf-314cgjz2jqf220w6pf1241w8cx8f86f8z", "b-1-000000000000"]
)
def test_in_30_an_address_that_was_never_given_out_is_refused_and_nothing_is_stored(
    mail_tables: Tables, recipient: str
) -> None:
    _, letter = asked(mail_tables)
    with pytest.raises(NotAccepted, match=r"550 5\.1\.1"):
        mail_tables.accept_mail(raw_mail(mail_tables, letter, MOVE), f"{recipient}@play.example")
    assert mail_tables.mails() == []


@pytest.mark.parametrize("header", ["Auto-Submitted: auto-replied", "Precedence: bulk", "X-Autoreply: yes"])
@pytest.mark.parametrize("sender, found", [(ANN, "dmarc=pass"), (STRANGER, None)])
def test_in_21_automatic_mail_is_put_aside_whatever_the_locks_say(
    mail_tables: Tables, header: str, sender: str, found: str | None
) -> None:
    assert knock(mail_tables, *asked(mail_tables), MOVE, sender, found, headers=[header]) == Knock("shelved", [], 0)


def test_a_stranger_is_told_of_once_a_day_and_asked_about_three_times(mail_tables: Tables) -> None:
    game, letter = asked(mail_tables)
    told = [knock(mail_tables, game, letter, f"{READ}\n" * (n + 1), STRANGER, None).told for n in range(3)]
    assert [len(one) for one in told] == [1, 0, 0]
    asks = [knock(mail_tables, game, letter, f"hide {n % 4} {n}", STRANGER, None).told for n in range(5)]
    assert [len(one) for one in asks] == [1, 1, 1, 0, 0]
    mail_tables.advance(days=1, minutes=1)
    assert len(knock(mail_tables, game, letter, READ, STRANGER, None).told) == 1


def test_the_same_words_of_a_stranger_do_not_silence_the_answer_to_their_owner(mail_tables: Tables) -> None:
    """RATE-09 counts answers, and the stranger had none."""
    game, letter = asked(mail_tables)
    knock(mail_tables, game, letter, "legal", STRANGER, None)
    knock(mail_tables, game, letter, "status", STRANGER, None)
    assert knock(mail_tables, game, letter, "status", ANN, "dmarc=pass").told == [("ann@people.example", "answer")]


def test_the_status_after_a_move_of_another_is_another_answer(mail_tables: Tables) -> None:
    """RATE-09: the same answer once within the hour, and not a new one."""
    game, letter = asked(mail_tables)
    assert len(knock(mail_tables, game, letter, READ, ANN, "dmarc=pass").told) == 1
    mail_tables.advance(minutes=1)
    assert knock(mail_tables, game, letter, READ, ANN, "dmarc=pass").told == []
    mail_tables.move(game, 1, "hide 1")
    assert len(knock(mail_tables, game, letter, READ, ANN, "dmarc=pass").told) == 1


class Said:
    """The little of a Reading that locks look at."""

    def __init__(self, *senders: str, sender: str = "", headers: int = 1, results: tuple[Any, ...] = ()) -> None:
        self.from_addresses = list(senders)
        self.from_headers = headers
        self.sender = sender
        self.authentication = list(results)


@pytest.mark.parametrize(
    "said, email, same",
    [
        (Said("ann@people.example"), "ann@people.example", True),
        (Said("ANN@People.Example"), "ann@people.example", True),
        (Said("ann+game@people.example"), "ann@people.example", False),
        (Said("ann@people.example.evil.example"), "ann@people.example", False),
        (Said("ann@xn--bcher-kva.example"), "ann@bücher.example", True),
        (Said("jose\u0301@people.example"), "josé@people.example", True),
        (Said("ann@people.example", headers=2), "ann@people.example", False),
        (Said("ann@people.example", "bob@people.example"), "ann@people.example", False),
        (Said(), "ann@people.example", False),
        (Said("ann@people.example", sender="desk@people.example"), "ann@people.example", True),
        (Said("ann@people.example", sender="desk@elsewhere.example"), "ann@people.example", False),
    ],
)  # fmt: skip
def test_in_33_in_34_who_a_mail_is_from(said: Said, email: str, same: bool) -> None:
    assert is_from(said, email) is same


class Found:
    """One Authentication-Results header."""

    def __init__(self, server: str, *results: tuple[str, str, dict[str, str]]) -> None:
        self.authserv_id = server
        self.results = results


PASSED = ("dmarc", "pass", {"header.from": "people.example"})
FAILED = ("dmarc", "fail", {"header.from": "people.example"})
OF_EVIL = ("dmarc", "pass", {"header.from": "evil.example"})


def dkim(**named: str) -> tuple[str, str, dict[str, str]]:
    return "dkim", "pass", {f"header.{name}": value for name, value in named.items()}


def spf(**named: str) -> tuple[str, str, dict[str, str]]:
    return "spf", "pass", {f"smtp.{name}": value for name, value in named.items()}


@pytest.mark.parametrize(
    "results, trusted, found",
    [
        ((Found(MX, PASSED),), "", "pass"),
        ((Found(MX.upper(), PASSED),), "", "pass"),
        ((Found("mx.evil.example", PASSED),), "", "none"),
        ((Found(MX, FAILED), Found(MX, PASSED)), "", "fail"),
        ((Found("mx.evil.example", PASSED), Found(MX, FAILED)), "", "fail"),
        ((Found(MX, ("dkim", "pass", {"header.d": "people.example"}), FAILED),), "", "fail"),
        ((Found(MX, ("dkim", "pass", {"header.d": "mail.people.example"})),), "", "pass"),
        ((Found(MX, ("dkim", "pass", {"header.d": "example"})),), "", "none"),
        ((Found(MX, ("dkim", "fail", {"header.d": "people.example"})),), "", "none"),
        ((Found(MX, ("dkim", "pass", {"header.i": "@people.example"})),), "", "pass"),
        ((Found(MX, ("spf", "pass", {"smtp.mailfrom": "ann@people.example"})),), "", "pass"),
        ((Found(MX, ("arc", "pass", {"header.d": "people.example"})),), "", "none"),
        ((Found(MX, OF_EVIL),), "", "none"),
        ((Found(MX, ("dmarc", "pass", {})),), "", "none"),
        ((Found(MX, ("dmarc", "pass", {"header.from": "PEOPLE.example."})),), "", "pass"),
        ((Found(MX, ("dmarc", "pass", {"header.from": "mail.people.example"})),), "", "none"),
        ((Found(MX, ("dmarc", "fail", {})),), "", "fail"),
        ((Found(MX, PASSED, OF_EVIL),), "", "none"),
        ((Found(MX, OF_EVIL, PASSED),), "", "none"),
        ((Found(MX, PASSED, FAILED),), "", "fail"),
        ((Found(MX, OF_EVIL, dkim(d="people.example")),), "", "none"),
        ((Found(MX, ("dmarc", "none", {}), dkim(d="people.example")),), "", "pass"),
        ((Found(MX, dkim(d="evil.example", i="@people.example")),), "", "none"),
        ((Found(MX, dkim(d="people.example", i="ann@mail.people.example")),), "", "pass"),
        ((Found(MX, dkim(d="evil.example"), dkim(d="people.example")),), "", "pass"),
        ((Found(MX, spf(mailfrom="people.example", helo="mx.elsewhere.example")),), "", "pass"),
        ((Found(MX, spf(mailfrom="x@evil.example", helo="people.example")),), "", "none"),
        ((Found(MX, spf(helo="mail.people.example")),), "", "pass"),
        ((Found(MX, spf(mailfrom="<>", helo="mail.people.example")),), "", "pass"),
        ((Found(MX, spf()),), "", "none"),
        ((), "", "none"),
        ((), "pass", "pass"),
    ],
)  # fmt: skip
def test_only_our_own_mail_server_is_believed(results: tuple[Any, ...], trusted: str, found: str) -> None:
    assert verdict(Said("ann@people.example", results=results), trusted, MX) == found


@pytest.mark.parametrize(
    "author, signer, found",
    [
        ("ann@people.co.uk", "people.co.uk", "pass"),
        ("ann@mail.people.co.uk", "bounce.people.co.uk", "pass"),
        ("ann@people.co.uk", "co.uk", "none"),
        ("ann@co.uk", "people.co.uk", "none"),
        ("ann@people.co.uk", "others.co.uk", "none"),
        ("ann@co.uk", "co.uk", "none"),
        ("ann@people.com.au", "com.au", "none"),
        ("ann@alice.github.io", "bob.github.io", "none"),
        ("ann@bücher.example", "xn--bcher-kva.example", "pass"),
        ("ann@[192.0.2.7]", "[198.51.2.7]", "none"),
        ("ann@example", "example", "none"),
    ],
)  # fmt: skip
def test_a_signature_speaks_for_the_organization_that_registered_its_domain(
    author: str, signer: str, found: str
) -> None:
    """RFC 7489, 3.1.1 and 3.2: relaxed alignment by the public suffix list, under which nobody is registered."""
    assert verdict(Said(author, results=(Found(MX, dkim(d=signer)),)), "", MX) == found
    assert verdict(Said(author, results=(Found(MX, spf(mailfrom=signer)),)), "", MX) == found


@pytest.mark.parametrize("found", ["dmarc=pass header.from=evil.example", "dmarc=pass", "dkim=pass header.d=example"])
def test_a_verdict_on_another_from_than_ours_applies_nothing(mail_tables: Tables, found: str) -> None:
    """The locks are one: what was authenticated is the From that is compared."""
    game, letter = asked(mail_tables)
    before = [f"Authentication-Results: {MX}; {found}"]
    came = knock(mail_tables, game, letter, MOVE, ANN, None, before=before)
    assert came == Knock("held", [("ann@people.example", "confirm")], 0)


def test_without_a_mail_server_of_ours_nothing_is_believed() -> None:
    assert verdict(Said("ann@people.example", results=(Found("", PASSED),)), "", "") == "none"
