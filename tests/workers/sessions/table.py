"""The golden sessions, as data: what each shows, the game it begins with, and what happens in it."""

import base64
from typing import Any

from tests.letters import text_of
from tests.workers.sessions import scene as given
from tests.workers.sessions.mails import answered_at, parts, quotation, report
from tests.workers.sessions.record import Again, Keep, Mail, Passes, Plays, Scene, Session, Stands, Works
from workers.mail_out.letter import Letter

MOVE = "place 1 7\nend"
STRANGER = "Mallory <mallory@elsewhere.example>"
GERMAN = given.language("ann", "de", given.at_the_table)
FRENCH = given.language("ann", "fr", given.at_the_election)
SECRET_FREE = given.wishing(given.at_the_election, secret_free=True)
ALTERNATIVE = 'multipart/alternative; boundary="alt"'
MIXED = 'multipart/mixed; boundary="mix"'
HTML = 'Content-Type: text/html; charset="utf-8"'
TEXT = 'Content-Type: text/plain; charset="utf-8"'


def building(mail_tables: Any) -> str:
    """City Hall, two players, ann puts up her first Building."""
    return given.city(mail_tables, lambda legal: any(line.startswith("build ") for line in legal))


def zoning(mail_tables: Any) -> str:
    """City Hall, two players, ann controls the Zoning Board."""
    return given.city(mail_tables, lambda legal: any(line.startswith("zone take") for line in legal), seed=3)


def move(text: str = MOVE, who: str = "ann", **more: Any) -> Mail:
    """An answer to the newest letter."""
    known = {name: more.pop(name) for name in ("letter", "envelope", "recipient", "source", "waits") if name in more}
    return Mail(who, text, more=more, **known)


def html_reply(scene_letter: Letter, said: str) -> str:
    """What a web mail program sends: the text, and our mail in a quotation."""
    quoted = "<br>".join(text_of(scene_letter).splitlines()[:3])
    return (
        f'<div dir="ltr">{said}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Tue, 4 Mar '
        f'2031 at 12:00, Tammany Hall &lt;game@play.example&gt; wrote:<br></div><blockquote class="gmail_quote">'
        f"{quoted}</blockquote></div>"
    )


def both(plain: str, html: str) -> dict[str, Any]:
    """Two texts that ought to be one."""
    return {"kind": ALTERNATIVE, "body": parts("alt", (TEXT, plain), (HTML, html))}


def to_both(scene: Scene) -> str:
    """To the addresses of two letters at once."""
    first, second = scene.letters["first"], scene.mail_tables.newest_letter("ann")
    return f"<{answered_at(first)}>, <{answered_at(second)}>"


def way_back(scene: Scene, letter: Letter) -> str:
    """The return path of the newest letter."""
    return letter.return_path


def unsubscribe_address(scene: Scene, letter: Letter) -> str:
    return text_between(letter.data.decode(), "<mailto:", ">")


def text_between(text: str, before: str, after: str) -> str:
    return text.partition(before)[2].partition(after)[0]


TALKED = Passes({"minutes": 10}, sweeps=False)
ABSENT = "I am out of the office until Monday and will read your mail then."
CIPHER = "-----BEGIN PGP MESSAGE-----\n\nhQEMA5v7\n=abcd\n-----END PGP MESSAGE-----"
SIGNED = (
    "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nplace 1 7\nend\n-----BEGIN PGP SIGNATURE-----\n\n"
    "iQEzBAEB\n=abcd\n-----END PGP SIGNATURE-----"
)
NESTED = "".join(f"--mix{n or ''}\nContent-Type: multipart/mixed; boundary=mix{n + 1}\n\n" for n in range(12)).encode()
CALENDAR = "BEGIN:VCALENDAR\nMETHOD:REPLY\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\nEND:VCALENDAR"

MOVES = [
    Session("turn", "A turn in the notation, of several lines; the next player is asked. OUT-33 IN-16 OUT-06 OUT-07",
            given.at_the_table, [move(), Stands()], html=True),
    Session("turn-in-pieces", "A turn without its end is ended (IN-10c); the end is late. IN-10 OUT-31 OUT-33",
            given.at_the_table, [move("place 1 7"), move("end")]),
    Session("by-number", "The number of an option of that very mail. OUT-31",
            given.at_the_auction, [move("2"), Stands()]),
    Session("number-that-is-not-there", "A number this mail has no option for. OUT-31 OUT-35",
            given.at_the_auction, [move("9")]),
    Session("german", "Orders in German words; the answer is German, the notation stays. OUT-37 IN-14",
            GERMAN, [move("setzen 1 7\nende")]),
    Session("french", "A sealed bid in French words. OUT-37 IN-14", FRENCH, [move("enchérir anglais 1")]),
    Session("english-by-a-german", "English is understood in every language. IN-14", GERMAN, [move(MOVE)]),
    Session("below-greeting", "A greeting, an empty line, the orders. IN-09",
            given.at_the_table, [move("Hi there,\n\nplace 1 7\nend\n\nCheers\nAnn")]),
    Session("below-prose", "Three lines of prose, an empty line, the orders. IN-09",
            given.at_the_table,
            [move("What a start this is.\nI had hoped to begin\nwith the Irish.\n\nplace 1 7\nend")]),
    Session("too-far-down", "More than three lines above the orders. IN-09 OUT-35",
            given.at_the_table, [move("One.\nTwo.\nThree.\nFour.\n\nplace 1 7\nend")]),
    Session("wrapped-prose", "Prose that a mail program wrapped before what reads like an order: refused. IN-09",
            given.at_the_election, [move("If only I had the chips for it I would happily\nbid english 1")]),
    Session("near-miss", "A slip in a verb is told, not guessed at. IN-10 IN-12 OUT-35",
            given.at_the_table, [move("plcae 1 7\nend")]),
    Session("near-miss-outside", "What may have been an order is not lost as chatter. IN-10",
            given.at_the_election, [move("bid english 1\n\nbdi english 2")]),
    Session("near-nothing-outside", "What would answer nothing is no slip once all is answered: told as ignored. IN-10",
            given.at_the_table, [move("place 1 7\nend\n\nslandr bob 1 irish")]),
    Session("paragraphs", "Paragraphs that only together answer are one block; a signature is one. IN-09 IN-10",
            given.at_the_table, [move("I place 1 and 7.\n\nEnd.\n\nAlice")]),
    Session("two-blocks", "Two sets of orders. IN-10", given.at_the_table, [move("place 1 7\nend\n\nplace 2 4\nend")]),
    Session("illegal", "An order the rules forbid: the line, the reason, what is legal; nothing done. IN-16 OUT-35",
            given.at_the_table, [move("place 1 17\nend"), Stands()]),
    Session("second-line-illegal", "All or nothing: the first line alone would do, and can be copied. IN-16 OUT-35",
            given.at_the_table, [move("place 1 7\nsettle boss 1 cube irish 1"), Stands()]),
    Session("bad-amount", "The letter O for a nought is not guessed at. IN-12", given.at_the_election,
            [move("bid english 1O")]),
    Session("decimal-amount", "1,5 is not guessed at. IN-12", given.at_the_election, [move("bid english 1,5")]),
    Session("normalised", "Curly quotes, no-break spaces, a list mark, full-width digits, emphasis. IN-11",
            given.at_the_table, [move("- *place*\u00a0１ ７.\n- End!")]),
    Session("example-line", "A line that begins like our examples is never an order. OUT-32",
            given.at_the_table, [move("type: place 1 7")]),
]  # fmt: skip
BIDS = [
    Session("sealed-bid", "A sealed bid: echoed to its owner, told to nobody. OUT-34",
            given.at_the_election, [move("bid english 1"), Stands()]),
    Session("two-bids", "Two sealed bids for one ward: neither is taken, each can be copied. TH-9.9 OUT-35",
            given.at_the_election, [move("bid english 1\nbid english 2"), Stands()]),
    Session("bid-20-30-20", "A bid, another, and the first again: the last mail counts. IN-17 OUT-34",
            given.at_the_election,
            [Keep("asked"), move("bid english 1", letter="asked"), Passes({"minutes": 5}, sweeps=False),
             move("bid english 2", letter="asked"), Passes({"minutes": 5}, sweeps=False),
             move("bid english 1", letter="asked"), Stands()]),
    Session("same-mail-again", "The very mail once more, as mail servers do: silent. IN-17",
            given.at_the_election, [move("bid english 1"), Again()]),
    Session("same-order-new-id", "The standing order in another mail: recorded already, answered once. IN-17 RATE-09",
            given.at_the_election,
            [Keep("asked"), move("bid english 1", letter="asked"), move("bid english 1", letter="asked"),
             move("bid english 1", letter="asked")]),
    Session("already-played", "The order that closed the decision, sent again: already played. IN-17",
            given.at_the_table, [Keep("asked"), move(letter="asked"), move(letter="asked"), Stands()]),
    Session("stale", "The question is closed: what is asked now, and the order tried again. IN-18 OUT-25",
            given.at_the_auction,
            [Keep("asked"), move("pass", letter="asked"), move("bid 2", letter="asked"), Stands()]),
    Session("stale-legal-now", "A closed question, and the order would do for the open one: sent again, it does. IN-18",
            given.pennies,
            [Keep("asked"), Plays(0, "hide 3"), Plays(1, "hide 1"), Plays(2, "hide 1"),
             move("nod", letter="asked"), move("nod"), Stands()]),
    Session("late", "After deadline and grace, before the caretaker: our clock counts. IN-19",
            given.at_the_table, [Passes({"days": 3, "minutes": 11}, sweeps=False), move(), Stands()]),
    Session("after-the-caretaker", "After the caretaker had played: when it came, and what is asked now. IN-19 IN-18",
            given.at_the_table,
            [Keep("asked"), Passes({"days": 3, "minutes": 11}), Passes({"minutes": 1}, sweeps=False),
             move(letter="asked")]),
    Session("in-time-but-unread", "Received before the deadline, read after it: the clock waits. IN-19 IN-20",
            given.at_the_table,
            [Passes({"days": 3}, sweeps=False), move(waits=True), Passes({"minutes": 30}), Works(), Stands()]),
    Session("correction", "A mail in time that cannot be used gives time to mend it, once. IN-35",
            given.at_the_table,
            [Passes({"days": 3, "minutes": 5}, sweeps=False), move("plcae 1 7\nend"), Stands(),
             Passes({"minutes": 20}), move(), Stands()]),
    Session("amended-by-the-confirmation", "Another bid, in answer to the confirmation of the first. IN-17 OUT-34",
            given.at_the_election, [move("bid english 1"), move("bid english 2"), move("orders"), Stands()]),
    Session("secret-free", "Mails without secrets say what is due, and no more. OUT-36",
            SECRET_FREE, [move("bid english 1")], html=True),
]  # fmt: skip
LOCKS = [
    Session("lock-no-verdict", "The right sender whom nothing vouches for: asked, then done. Locks; OUT-24",
            given.at_the_table, [move(auth=None), move("yes", auth=None), Stands()]),
    Session("lock-no-verdict-read", "Reading needs no verdict. Locks", given.at_the_table,
            [move("status", auth="dmarc=none")]),
    Session("lock-failed", "Authentication failed: asked, not done. Locks",
            given.at_the_table, [move(auth="dmarc=fail"), Stands()]),
    Session("lock-failed-read", "Authentication failed, and nothing to do: its owner is told, once a day. Locks",
            given.at_the_table,
            [Keep("asked"), move("status", letter="asked", auth="dmarc=fail"),
             move("legal", letter="asked", auth="dmarc=fail")]),
    Session("spoofed", "Somebody else with the right address to write to: only the owner hears of it. Locks",
            given.at_the_table, [move(sender=STRANGER, envelope="mallory@elsewhere.example"), Stands()]),
    Session("spoofed-read", "A stranger asks to see the legal orders: their answer goes to nobody. Locks",
            given.at_the_table, [move("legal", sender=STRANGER, envelope="mallory@elsewhere.example")]),
    Session("spoofed-stale", "A stranger, and a closed question: put aside. Locks",
            given.at_the_table, [Keep("asked"), move(), move("status", letter="asked", sender=STRANGER)]),
    Session("forged-results", "A verdict of another server, and one below ours, count for nothing. Locks",
            given.at_the_table,
            [move(auth=None, before=["Authentication-Results: mx.evil.example; dmarc=pass header.from=people.example"]),
             move(auth="dmarc=fail",
                  headers=["Authentication-Results: mx.play.example; dmarc=pass header.from=people.example"])]),
    Session("aligned-dkim", "No word of DMARC, but a signature of the sender's domain. Locks",
            given.at_the_table, [move(auth="dkim=pass header.d=people.example")]),
    Session("foreign-dkim", "A signature of somebody else's domain vouches for nothing. Locks",
            given.at_the_table, [move(auth="dkim=pass header.d=elsewhere.example")]),
    Session("two-froms", "Two authors in From. IN-28",
            given.at_the_table, [move(sender="Ann <ann@people.example>, Mal <mal@elsewhere.example>")]),
    Session("from-twice", "Two From headers. IN-28",
            given.at_the_table, [move(before=["From: Mal <mal@elsewhere.example>"])]),
    Session("other-sender", "A Sender of another domain. IN-28",
            given.at_the_table, [move(headers=["Sender: robot@elsewhere.example"])]),
    Session("empty-from", "No author at all: put aside. IN-28", given.at_the_table, [move(sender="")]),
    Session("token-of-another-seat", "bob writes to ann's address: ann is asked. Locks; OUT-22",
            given.at_the_table, [Keep("asked"), Mail("bob", MOVE, letter="asked")]),
    Session("garbled-token", "An address that was never given out: refused in the session. IN-30",
            given.at_the_table, [move(recipient=lambda scene, letter: "mv-" + "0" * 33 + "@play.example")]),
    Session("shouted-token", "Mail programs fold case. OUT-21",
            given.at_the_table, [move(recipient=lambda scene, letter: answered_at(letter).upper())]),
    Session("tagged-token", "Something and a plus sign before the address. OUT-22",
            given.at_the_table, [move(recipient=lambda scene, letter: "game+" + answered_at(letter))]),
    Session("forwarded", "A forwarded mail: only what stands above counts. IN-26",
            given.at_the_table,
            [move("place 1 7\nend\n\n---------- Forwarded message ---------\nFrom: Bob <bob@people.example>\n"
                  "Date: Tue, 4 Mar 2031\nSubject: my orders\nTo: Ann\n\nplace 2 4\nend",
                  quote=0, subject="Fwd: my orders")]),
    Session("copied-to-a-stranger", "Done, but its address is a secret no more: it dies, another is given out. OUT-27",
            given.at_the_election,
            [Keep("asked"), move("bid english 1", headers=["Cc: Uncle <uncle@elsewhere.example>"]),
             move("bid english 2", letter="asked"), move("bid english 2")]),
    Session("held-yes", "Held, confirmed: done as of when it came. Locks",
            given.at_the_table, [move(sender=STRANGER), move("yes"), Stands()]),
    Session("held-no", "Held, and it was not ann: thrown away, every address dies, new ones are given out. OUT-27",
            given.at_the_table,
            [Keep("asked"), move(sender=STRANGER), move("no"), move(letter="asked"), move(), Stands()]),
    Session("held-neither", "Neither yes nor no.", given.at_the_table, [move(auth=None), move("perhaps")]),
    Session("held-yes-by-another", "The answer to the question must be from the registered address. Locks",
            given.at_the_table, [move(auth=None), move("yes", sender=STRANGER), Stands()]),
    Session("confirmed-twice", "The second yes is to an address that has done its work. OUT-24",
            given.at_the_table, [move(auth=None), Keep("question"), move("yes", letter="question"),
             move("yes", letter="question"), Stands()]),
    Session("confirmed-late", "More than 48 hours are too long. Locks",
            given.at_the_table, [move(auth=None), Passes({"hours": 49}, sweeps=False), move("yes"), Stands()]),
    Session("held-then-stale", "Confirmed when the question was closed already: not done. IN-18",
            given.at_the_table,
            [move(auth=None), Plays(0, "place 2 4\nend"), Keep("question", which=-1), move("yes"), Stands()]),
    Session("two-tokens", "One mail to two games. IN-29",
            given.two_games, [Keep("first", which=0), move("hide 2", to=to_both)]),
]  # fmt: skip
ROBOTS = [
    Session("absent-automatic", "An absence note that says what it is: put aside. IN-21",
            given.at_the_table, [move(ABSENT, headers=["Auto-Submitted: auto-replied"])]),
    Session("absent-by-subject", "An absence note by its subject, without an order: put aside. IN-21",
            given.at_the_table, [move(ABSENT, subject="Out of office: Re: your turn")]),
    Session("absent-with-order", "A subject like an absence note, over an order: asked. IN-21",
            given.at_the_table, [Keep("asked"), move(subject="Automatic reply: Re: your turn"),
             move("place 1 4\nend", letter="asked", subject="Automatic reply: Re: your turn")]),
    Session("bounce-to-answer", "A bounce where answers go. IN-21",
            given.at_the_table,
            [move(envelope="", sender="MAILER-DAEMON@people.example",
                  kind='multipart/report; report-type=delivery-status; boundary="dsn"', body=report)]),
    Session("bounce", "A bounce to the return path: one probe. RATE-10 RATE-12 OUT-12",
            given.at_the_table,
            [Mail("ann", recipient=way_back, envelope="", more={
                "sender": "MAILER-DAEMON@people.example", "auth": None,
                "kind": 'multipart/report; report-type=delivery-status; boundary="dsn"', "body": report})]),
    Session("null-sender", "An envelope from nobody. IN-21", given.at_the_table, [move(envelope="")]),
    Session("mailing-list", "Sent on by a list. IN-21",
            given.at_the_table, [move(headers=["Precedence: list", "List-Id: <friends.elsewhere.example>"])]),
    Session("own-mail", "Our own mail, back. IN-23",
            given.at_the_table, [move(message_id="<your-turn.1@play.example>", sender="game@play.example")]),
    Session("no-robot", "A header of Exchange that proves nothing. IN-22",
            given.at_the_table, [move(headers=["X-Auto-Response-Suppress: All"])]),
    Session("reaction", "A thumb is no order: put aside in silence. IN-13", given.at_the_table, [move("👍", quote=0)]),
    Session("calendar-reply", "An answer to a calendar. IN-24",
            given.at_the_table,
            [move(kind='text/calendar; method=REPLY; charset="utf-8"', body=CALENDAR.replace("\n", "\r\n").encode())]),
    Session("read-receipt", "A receipt. IN-21",
            given.at_the_table,
            [move(kind='multipart/report; report-type=disposition-notification; boundary="mdn"',
                  body=parts("mdn", ("Content-Type: text/plain", "Your message was read."),
                             ("Content-Type: message/disposition-notification", "Disposition: manual-action; seen")))]),
]  # fmt: skip
FORMS = [
    Session("encrypted", "Mail we cannot read. IN-27", given.at_the_table, [move(CIPHER, quote=0)]),
    Session("signed", "A signature within the text. IN-27", given.at_the_table, [move(SIGNED, quote=0)]),
    Session("signed-mime", "A signature beside the text. IN-27",
            given.at_the_table,
            [move(kind='multipart/signed; boundary="mix"; protocol="application/pgp-signature"',
                  body=parts("mix", (TEXT, MOVE), ("Content-Type: application/pgp-signature; name=signature.asc",
                                                   "-----BEGIN PGP SIGNATURE-----")))]),
    Session("attachment", "A file is not opened, and that is said. IN-25",
            given.at_the_table,
            [move(kind=MIXED, body=parts("mix", (TEXT, MOVE),
                  ("Content-Type: image/jpeg; name=holiday.jpg\nContent-Disposition: attachment; filename=holiday.jpg",
                   "no picture"), ("Content-Type: text/plain\nContent-Disposition: attachment; filename=orders.txt",
                   "place 2 4")))]),
    Session("html-only", "No plain text. IN-06",
            given.at_the_table,
            [move(kind=HTML[14:], body=lambda letter: html_reply(letter, "place 1 7<br>end").encode())]),
    Session("html-with-hidden", "What nobody sees in HTML is not read. IN-06",
            given.at_the_table,
            [move(kind='text/html; charset="utf-8"',
                  body=b'<p>place 1 7<br>end</p><p style="display:none">place 2 4</p><!-- place 4 4 -->')]),
    Session("two-texts", "Plain text and HTML order different things. IN-06",
            given.at_the_table, [move(**both(MOVE, "<p>place 2 4<br>end</p>"))]),
    Session("latin-1", "base64, ISO 8859-1. IN-05",
            GERMAN,
            [move(kind="text/plain; charset=iso-8859-1", encoding="base64",
                  body=base64.b64encode("Schöne Grüße aus Köln!\n\nsetzen 1 7\nende".encode("latin-1")))]),
    Session("quoted-printable", "Soft line breaks. IN-07",
            given.at_the_table, [move(encoding="quoted-printable", body=b"place 1 =\r\n7\r\nend=20\r\n")]),
    Session("flowed", "format=flowed. IN-07",
            given.at_the_table,
            [move("It was a long evening, and I have \nthought of it.\n\nplace 1 7\nend",
                  kind="text/plain; charset=utf-8; format=flowed", quote=0)]),
    Session("unknown-charset", "A charset there is not. IN-04 IN-05",
            given.at_the_table, [move(kind="text/plain; charset=x-klingon")]),
    Session("bottom-post", "The answer below the quotation. IN-08",
            given.at_the_table,
            [move(body=lambda letter: f"{quotation(letter, 4).lstrip()}\n\n{MOVE}".replace("\n", "\r\n").encode())]),
    Session("full-quotation", "The whole of our mail below the orders, as most programs send it. IN-08 OUT-32",
            given.at_the_table, [move(quote=200)]),
    Session("empty", "A mail without a word. OUT-35", given.at_the_table, [move("", quote=0)]),
    Session("chatter", "A mail without an order. OUT-35",
            given.at_the_table, [move("What a lovely board this is, we must play it at the club one day.")]),
    Session("help-subject", "help in the subject of an empty mail. IN-15",
            given.at_the_table, [move("", quote=0, subject="help")]),
    Session("unsubscribe-subject", "unsubscribe in the subject of an empty mail: no mail about this game. IN-15 OUT-17",
            given.at_the_table, [move("", quote=0, subject="unsubscribe")]),
    Session("unsubscribe-subject-by-another", "A stranger does not stop ann's mail. IN-15 IN-36",
            given.at_the_table, [move("", quote=0, subject="unsubscribe", sender=STRANGER)]),
    Session("unsubscribe-address", "The address of List-Unsubscribe. OUT-15 OUT-17 OUT-24",
            given.at_the_table,
            [Mail("ann", recipient=unsubscribe_address, more={"subject": "unsubscribe"}), Plays(0, MOVE)]),
    Session("poison", "More mails within mails than we read: set aside, and answered; the next is read. IN-01",
            given.at_the_table, [move(kind=MIXED, body=NESTED), move()]),
    Session("too-many-lines", "More lines than we read: set aside, and answered. IN-01",
            given.at_the_table, [move(body=(MOVE + "\n\n" + "\n" * 1100).replace("\n", "\r\n").encode() + b"end")]),
    Session("poison-by-a-robot", "An automatic mail that cannot be read: set aside, not answered. IN-01 IN-21",
            given.at_the_table,
            [move(kind=MIXED, headers=["Auto-Submitted: auto-replied"],
                  body=NESTED)]),
]  # fmt: skip
WORDS = [
    Session("help", "help", given.at_the_table, [move("help")]),
    Session("status", "status, twice within the hour: answered once. RATE-09",
            given.at_the_table, [move("status"), move("status"), Passes({"hours": 2}, sweeps=False), move("status")]),
    Session("board", "board", given.at_the_table, [move("board")]),
    Session("legal", "legal", given.at_the_election, [move("legal")]),
    Session("history", "history, of so many lines", given.at_the_election, [move("history 5")]),
    Session("history-too-much", "history with a number it does not take. IN-12",
            given.at_the_table, [move("history 500")]),
    Session("orders", "orders, with a standing bid. IN-17",
            given.at_the_election, [move("bid english 1"), move("orders")]),
    Session("order-then-status", "An order and a question in one mail: the answer is of after it. IN-16",
            given.at_the_table, [move("place 1 7\nend\nstatus")]),
    Session("away", "away", given.at_the_table, [move("away")]),
    Session("calendar", "calendar: the deadline as a file. OUT-19", given.at_the_table, [move("calendar")]),
    Session("undo", "undo, and what can be done instead", given.at_the_table, [move("undo")]),
    Session("undo-stale", "undo, to a closed question",
            given.at_the_table, [Keep("asked"), move(), move("undo", letter="asked")]),
    Session("say-to-the-table", "A line to the table, told when its delay is over. Talk",
            given.at_the_table, [move("- say Good luck to *all* of you!"), TALKED, Works()]),
    Session("say-to-one", "A line to one seat: nobody else gets it. Talk",
            given.at_the_table, [move("say to bob: Shall we share ward 6?"), TALKED, Works()]),
    Session("say-to-nobody", "A name that nobody has: not said to the table instead. IN-12",
            given.at_the_table, [move("say to bbo Shall we share it?"), move("say to zoe: Shall we share it?")]),
    Session("unsay", "A line taken back while it waits. Talk",
            given.at_the_table, [move("say I shall attack bob"), move("unsay"), TALKED, Works()]),
    Session("say-and-play", "A line and a turn in one mail. IN-16",
            given.at_the_table, [move("say Here I come.\nplace 1 7\nend"), TALKED, Works()]),
    Session("yes-to-nothing", "yes, where nothing was asked. IN-13", given.at_the_table, [move("yes")]),
]  # fmt: skip
SEATS = [
    Session("join", "An invitation, answered with a name: seated, and a player from now on.",
            given.invited, [move("join Zed Ängström", who="zed")]),
    Session("join-bad-name", "A name that cannot be one: told, no seat, no account.",
            given.invited, [move("join =?x?= !", who="zed"), move("join Zed", who="zed")]),
    Session("join-unverified", "A guest whom nothing vouches for is asked. Locks",
            given.invited, [move("join Zed", who="zed", auth=None), move("yes", who="zed", auth=None)]),
    Session("join-by-another", "A stranger with the invitation's address. Locks",
            given.invited, [move("join Mallory", who="zed", sender=STRANGER), Stands()]),
    Session("order-of-a-guest", "An order before there is a seat.", given.invited, [move("place 1 7", who="zed")]),
    Session("leave-early", "A seat is given up before the start: asked, then done. IN-16",
            given.seated_early, [move("leave", who="zed"), move("yes", who="zed"), Stands()]),
    Session("leave-unverified", "A seat is not given up by a mail nobody vouches for. Locks",
            given.seated_early, [move("leave", who="zed", auth=None), Stands()]),
    Session("leave-late", "A seat is not given up in a game that runs.", given.at_the_table, [move("leave")]),
    Session("resign", "A running game is left for good: asked, then done; the others hear of it. IN-16",
            given.at_the_table, [move("resign"), move("yes"), Stands()]),
    Session("resign-with-more", "A resignation stands alone. IN-16", given.at_the_table, [move("resign\nplace 1 7")]),
    Session("resign-early", "Before the start there is nothing to resign.",
            given.seated_early, [move("resign", who="zed")]),
    Session("leave-with-more", "What cannot be undone stands alone. IN-16",
            given.at_the_table, [move("leave\nplace 1 7")]),
    Session("vacant-join", "A vacant seat is taken back by its player.", given.vacant, [move("join"), Stands()]),
    Session("vacant-order", "An order on a vacant seat: the seat is to be taken back first.",
            given.vacant, [move("hide 1")]),
    Session("game-over", "An order after the end, then a question. OUT-26",
            given.over, [move("hide 1"), move("status")]),
    Session("long-over", "A month after the end its addresses are dead. OUT-26",
            given.over, [Passes({"days": 31}, sweeps=False), move("status")]),
]  # fmt: skip
CITY = [
    Session("city-bid", "City Hall: a bid for an Office.", given.at_the_auction, [move("bid 2"), Stands()]),
    Session("city-pass", "City Hall: pass.", given.at_the_auction, [move("pass"), Stands()]),
    Session("city-bid-too-much", "City Hall: more Influence than there is. OUT-35",
            given.at_the_auction, [move("bid 9")]),
    Session("city-build", "City Hall: a Building, by its number.", building, [move("2"), Stands()]),
    Session("city-zone", "City Hall: the order in which Permits go below the deck is told to ann alone. OUT-30", zoning,
            [move("zone take park build tower Q5 under park factory"), Stands()]),
]  # fmt: skip
CHAPTERS = {
    "moves": MOVES, "bids": BIDS, "locks": LOCKS, "robots": ROBOTS, "forms": FORMS, "words": WORDS, "seats": SEATS,
    "city": CITY,
}  # fmt: skip
SESSIONS = [*MOVES, *BIDS, *LOCKS, *ROBOTS, *FORMS, *WORDS, *SEATS, *CITY]
WHOLE = {
    "turn", "secret-free", "german", "french", "stale", "amended-by-the-confirmation", "join-unverified",
    "after-the-caretaker", "legal", "say-and-play", "help-subject", "undo-stale", "number-that-is-not-there",
    "game-over", "bounce",
}  # fmt: skip
"""The sessions that are kept for each of their bytes: every kind of letter, section, language, HTML and text."""
