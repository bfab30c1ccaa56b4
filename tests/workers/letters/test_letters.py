"""Letters: what a player reads, and the bytes it comes in."""

import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.header import decode_header, make_header
from email.headerregistry import Address
from email.parser import BytesHeaderParser
from email.policy import compat32
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from domain.audit.checkpoints import read_header
from domain.engine.refusals import OrderNotUnderstood, RuleViolation
from service.accounts.names import LONGEST_NAME, handles, normalise_name
from service.container import Services
from service.games import history_queries
from service.games.play import Orders, rehearse
from service.games.views import state_document
from service.languages.time_text import due_words, left_words
from service.mail import addresses, unsubscribes
from service.store.outgoing.notice import Notice
from tests.letters import Carrier, html_of, parsed, text_of
from tests.manual_clock import ManualClock
from tests.tables import Tables
from tests.witnesses import renamed
from tests.workers.letters import correspondence as letters_of_games
from tests.workers.letters.correspondence import PEOPLE, Correspondence, Page
from workers.letters.letter_data import Superseded
from workers.mail_out.mime_message import Envelope, build

HOST = "play.example"
HASH = re.compile(r"[0-9a-f]{64}")
ALWAYS = [
    "From", "To", "Reply-To", "Subject", "Date", "Message-ID", "Auto-Submitted", "X-Auto-Response-Suppress", "X-Loop",
]  # fmt: skip
OF_A_GAME = ["References", "In-Reply-To", "List-Id", "List-Help", "Wardroom-Checkpoint"]
PICTURE = {True: ["src", "alt", "width"], False: []}
OF_A_PLAYER = ["List-Unsubscribe", "List-Unsubscribe-Post"]
MIME = ["MIME-Version", "Content-Type"]


@pytest.fixture(scope="module")
def correspondence(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Correspondence]:
    """Every mail of one game."""
    with letters_of_games.no_pictures():
        made = letters_of_games.make(tmp_path_factory.mktemp("album"))
        yield made
    made.tables.services.database.close()


def raw_headers(page: Page) -> list[tuple[str, str]]:
    """The headers as they stand in the bytes, unfolded, not decoded."""
    message = BytesHeaderParser(policy=compat32).parsebytes(page.letter.data)
    return [(name, " ".join(str(value).split())) for name, value in message.items()]


# The correspondence


def test_the_correspondence_has_every_kind_of_mail_in_every_phase_of_the_game(correspondence):
    kinds = {page.kind for page in correspondence.pages}
    assert kinds == {
        "code", "invitation", "your-turn", "reminder", "deadline-passed", "game-over", "undeliverable", "vacant",
    }  # fmt: skip
    assert {page.phase for page in correspondence.of("your-turn")} == {"turn", "bid", "bonus", "assign"}
    assert len({page.phase for page in correspondence.of("reminder")}) > 1
    assert len({page.phase for page in correspondence.of("deadline-passed")}) > 1
    assert {is_vacant(correspondence, page) for page in correspondence.of("deadline-passed")} == {True, False}
    assert {correspondence.reader(page) for page in correspondence.of("game-over")} == set(PEOPLE)


def is_vacant(correspondence: Correspondence, page: Page) -> bool:
    return correspondence.table(page.row["version"]).chairs[page.row["seat"]].vacant


# Bytes and headers


def test_out01_lines_are_short_ascii_and_end_with_crlf(correspondence):
    for page in correspondence.pages:
        data = page.letter.data
        assert data.isascii()
        assert b"\x00" not in data
        assert data.count(b"\r") == data.count(b"\n") == data.count(b"\r\n")
        assert max(map(len, data.split(b"\r\n"))) <= 998
        assert data.endswith(b"\r\n")
        body = data.partition(b"\r\n\r\n")[2]
        assert max(map(len, body.split(b"\r\n"))) <= 78


def test_out01_every_letter_has_exactly_the_headers_it_should(correspondence):
    for page in correspondence.pages:
        wanted = ALWAYS + (OF_A_GAME if page.about_game else [])
        wanted += OF_A_PLAYER if page.about_game else []
        assert sorted(name for name, _ in raw_headers(page)) == sorted(wanted + MIME), page.kind
        message = parsed(page.letter)
        assert not message.defects
        assert all(not header.defects for header in message.values() if hasattr(header, "defects"))


def test_out02_out03_a_letter_is_text_first_then_html(correspondence):
    for page in correspondence.pages:
        message = parsed(page.letter)
        assert message.get_content_type() == "multipart/alternative"
        text, html = message.iter_parts()
        if html.get_content_type() == "multipart/related":
            html, picture = html.iter_parts()
            assert (picture.get_content_type(), picture.get_content_disposition()) == ("image/png", "inline")
            assert picture["Content-ID"] == "<board>"
            assert 'src="cid:board"' in html_of(page.letter)
        assert [part.get_content_type() for part in (text, html)] == ["text/plain", "text/html"]
        for part in (text, html):
            assert part.get_content_charset() == "utf-8"
            assert part["Content-Transfer-Encoding"] == "quoted-printable"


def test_out06_a_message_id_tells_kind_game_decision_and_recipient_and_is_kept_in_the_row(correspondence):
    macs = defaultdict(set)
    seen = set()
    for page in correspondence.pages:
        identity = parsed(page.letter)["Message-ID"]
        place = "account" if page.kind == "code" else correspondence.game
        found = re.fullmatch(
            rf"<{page.kind}\.{place}\.{re.escape(page.row['decision'])}\.([0-9a-f]{{12}})@{HOST}>", identity
        )
        assert found, identity
        assert identity == page.row["message_id"] == page.letter.message_id
        macs[page.letter.to].add(found[1])
        seen.add(identity)
    assert len(seen) == len(correspondence.pages)
    assert all(len(one) == 1 for one in macs.values())
    assert len(set.union(*macs.values())) == len(macs), "another recipient has another id"


def test_out07_a_thread_has_one_root_for_a_game_and_its_reader_and_goes_on_from_the_mail_before(correspondence):
    roots = defaultdict(set)
    before: dict[str, list[str]] = defaultdict(list)
    for page in correspondence.pages:
        message = parsed(page.letter)
        if not page.about_game:
            assert "References" not in message
            continue
        root, *rest = message["References"].split()
        assert re.fullmatch(rf"<g\.{correspondence.game}\.[0-9a-f]{{12}}@{HOST}>", root)
        roots[page.letter.to].add(root)
        assert message["In-Reply-To"] == (rest or [root])[-1]
        assert len(rest) <= 1
        assert set(rest) <= set(before[page.letter.to]), "only what this reader got"
        before[page.letter.to].append(message["Message-ID"])
    assert all(len(one) == 1 for one in roots.values())
    assert len(set.union(*roots.values())) == len(roots) == 5
    linked = sum(len(parsed(page.letter)["References"].split()) > 1 for page in correspondence.pages if page.about_game)
    assert linked > 100


def test_out08_the_subject_never_changes_in_a_game(correspondence):
    names = ", ".join(shown for shown, _ in PEOPLE.values())
    for page in correspondence.pages:
        subject = parsed(page.letter)["Subject"]
        if page.kind == "code":
            assert subject == "Your code for Wardroom"
        elif page.kind == "invitation":
            assert subject == "Ann invites you to play Tammany Hall"
        else:
            assert subject == f"[Tammany Hall #{correspondence.game}] {names}"
    raw = {dict(raw_headers(page))["Subject"] for page in correspondence.of("your-turn", "reminder", "game-over")}
    assert len(raw) == 1


def test_out10_the_sender_has_one_address_and_says_why_it_writes(correspondence):
    names = defaultdict(set)
    for page in correspondence.pages:
        (sender,) = parsed(page.letter)["From"].addresses
        assert sender.addr_spec == f"game@{HOST}"
        names[page.kind].add(sender.display_name)
    assert all(len(one) == 1 for one in names.values())
    assert len(set.union(*names.values())) == len(names)
    assert names["your-turn"] == {"Your turn – Tammany Hall"}
    assert names["invitation"] == {"Ann (Wardroom)"}


def test_a_letter_is_addressed_to_its_reader_and_nobody_else(correspondence):
    for page in correspondence.pages:
        message = parsed(page.letter)
        (to,) = message["To"].addresses
        assert to.addr_spec == page.letter.to
        assert to.display_name == (PEOPLE[correspondence.reader(page)][0] if page.kind != "invitation" else "")
        addresses = set(re.findall(rb"[a-z]+@(?:people|friends)\.example", page.letter.data))
        assert addresses == {page.letter.to.encode()}, "nobody's address is told to another (RATE-11)"


def test_out12_every_notice_has_a_return_path_of_its_own(correspondence):
    paths = [page.letter.return_path for page in correspondence.pages]
    assert len(set(paths)) == len(paths)
    for page in correspondence.pages:
        assert re.fullmatch(rf"b-{page.row['id']}-[0-9a-f]{{12}}@{HOST}", page.letter.return_path)
        assert page.letter.return_path.partition("@")[0].encode() not in page.letter.data


def test_out13_out14_every_letter_says_that_a_machine_wrote_it(correspondence):
    for page in correspondence.pages:
        message = parsed(page.letter)
        assert message["Auto-Submitted"] == "auto-generated"
        assert message["X-Auto-Response-Suppress"] == "OOF, AutoReply, RN, NRN"
        assert "@people.example" not in message["Reply-To"]


def test_out15_lists_can_be_filtered_by_and_left_at_one_click(correspondence):
    for page in correspondence.pages:
        message = parsed(page.letter)
        if not page.about_game:
            assert "List-Id" not in message
            continue
        assert message["List-Id"] == f"<game-{correspondence.game}.{HOST}>"
        assert message["List-Help"] == "<https://wardroom.example/>"
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        address = re.fullmatch(
            r"<https://wardroom\.example/u/([0-9A-Za-z._-]+)>, <mailto:(u-[0-9a-z]{33}@play\.example)>",
            message["List-Unsubscribe"],
        )
        if page.kind == "undeliverable":
            assert "mailto" not in message["List-Unsubscribe"], "it has no address to answer to"
            continue
        assert address
        stops = addresses.read(correspondence.tables.services.settings, address[2])
        assert stops is not None
        assert (stops.purpose, stops.token) == ("u", addresses.token(address[2].partition("@")[0]))
        assert len(message["List-Unsubscribe"]) < 200
        about = "" if page.kind == "invitation" else correspondence.game  # a guest stops them all
        assert unsubscribes.read_token(correspondence.tables.services, address[1]) == (page.row["recipient"], about)


def test_the_date_is_when_it_happened_not_when_it_was_sent(correspondence):
    for page in correspondence.pages:
        date = parsed(page.letter)["Date"].datetime
        assert date == datetime.fromtimestamp(page.row["created_at"] // 1_000_000, UTC)


# The same bytes


def test_rate02_what_has_happened_is_told_in_the_same_bytes_after_the_game_went_on_to_its_end(correspondence):
    again = correspondence.of("deadline-passed", "game-over")
    assert again
    for page in again:
        assert correspondence.tables.compose(page.row).data == page.letter.data
        assert correspondence.tables.compose(page.row).data == page.letter.data


@pytest.mark.parametrize("kind", ["pennies", "tammany-hall"])
def test_rate02_a_notice_is_the_same_bytes_while_others_move_and_other_mail_goes_out(sqlite_tables, kind):
    game = sqlite_tables.begin("ann", "bob", "cyd", "dan", kind=kind)
    while sqlite_tables.phase(game) not in ("bid", "hide") or len(sqlite_tables.awaited(game)) < 2:
        sqlite_tables.play_on(game)
    sqlite_tables.advance(days=2, minutes=1)
    sqlite_tables.sweep()
    seat = sqlite_tables.awaited(game)[-1]
    mine = [row for row in sqlite_tables.notices(state="queued", seat=seat) if row["kind"] in ("your-turn", "reminder")]
    pending = [row for row in mine if row["decision"].startswith(mine[-1]["decision"].partition(".")[0])]
    assert [row["kind"] for row in pending] == ["your-turn", "reminder"]
    first = [sqlite_tables.compose(row) for row in pending]
    sqlite_tables.play_on(game)
    sqlite_tables.execute(
        "UPDATE deliveries SET not_before = not_before + 1 WHERE notice_id = :id", id=pending[1]["id"]
    )
    sqlite_tables.advance(minutes=1)
    carrier = Carrier()
    sqlite_tables.deliver(carrier)
    assert [sqlite_tables.compose(row).data for row in pending] == [letter.data for letter in first]
    sent = {letter.message_id: letter.data for letter in carrier.letters}
    assert all(sent[letter.message_id] == letter.data for letter in first)


# The text


def test_out05_the_first_line_says_what_it_is_about_and_until_when(correspondence):
    (page,) = correspondence.of("undeliverable")
    lost = list(PEOPLE.values())[page.row["seat"]][0]
    starts = {
        "your-turn": r"[^,]+, .*[?] Answer by .*\nLunch break · Year \d+ of 16 · Term \d of 4\n",
        "reminder": r"[^,]+, .*[?] Reminder: your answer is due in .*\nLunch break · ",
        "deadline-passed": "Your deadline in Tammany Hall “Lunch break” passed: the caretaker played for you.",
        "game-over": "Your game of Tammany Hall “Lunch break” is over.",
        "invitation": "Ann invites you to a game of Tammany Hall.",
        "undeliverable": f"{lost} could not be told that it is their turn in Tammany Hall “Lunch break”.",
        "vacant": "A seat at your table of Tammany Hall “Lunch break” is vacant.",
        "code": "Your code for Wardroom: ",
    }
    for page in correspondence.pages:
        start = starts[page.kind]
        if start.startswith("[^"):
            assert re.match(start, text_of(page.letter)), page.kind
        else:
            assert text_of(page.letter).startswith(start)


def test_out03_the_text_holds_version_head_hash_and_link(correspondence):
    services = correspondence.tables.services
    with services.database.read() as connection:
        head = services.streams.head(connection, correspondence.game)
        chain = {0: ""} | {
            one["version"]: one["hash"]
            for one in history_queries.events(services, connection, head, None, after=0, limit=9999)
        }
    for page in correspondence.pages:
        if page.about_game:
            text = text_of(page.letter)
            assert f"Version {page.row['version']}, hash {chain[page.row['version']]}" in text
            signed = read_header(parsed(page.letter)["Wardroom-Checkpoint"])
            one = signed.checkpoint
            assert (one.version, one.hash) == (page.row["version"], chain[page.row["version"]])
            assert f"Receipt: {signed.receipt()}\n" in text
            assert f"Receipt: {signed.receipt()}<br>" in html_of(page.letter)
            assert f"https://wardroom.example/g/{correspondence.game}\n" in text
            assert f"hash {chain[page.row['version']]}" in html_of(page.letter)


def test_out03_the_text_holds_the_position_of_its_version_as_its_reader_saw_it(correspondence):
    services = correspondence.tables.services
    shown = [name for name, _ in PEOPLE.values()]
    for page in correspondence.of("your-turn", "reminder", "deadline-passed", "game-over")[::5]:
        with services.database.read() as connection:
            now = services.streams.head(connection, correspondence.game)
            seen = history_queries.past(services, connection, now, page.row["seat"], page.row["version"])
            assert seen
            document = state_document(seen.table, seen, page.row["seat"], shown, typed=False)
        board = now.rules.presentation.board(document)
        assert board.strip() in text_of(page.letter)
        assert len(board.splitlines()) > 30
        assert max(map(len, board.splitlines())) <= 78


def test_out03_deadlines_are_in_the_readers_zone_and_in_utc(correspondence):
    zones = defaultdict(set)
    for page in correspondence.of("your-turn", "reminder"):
        (line,) = [line for line in text_of(page.letter).splitlines() if line.startswith("Deadline: ")]
        zones[correspondence.reader(page)] |= set(re.findall(r"\b(UTC|[A-Z]{3,4}|\+\d{4})\b", line))
        assert line.endswith(("UTC.", "UTC)."))
        assert line.removeprefix("Deadline: ").rstrip(".") in text_of(page.letter).splitlines()[0]
    assert zones["ann"] == {"UTC"}
    assert "NZDT" in zones["bob"]
    assert zones["cyd"] & {"EST", "EDT"}


def test_out03_what_is_to_be_typed_can_be_typed(correspondence):
    """Every example in a mail is accepted at the position the mail is about."""
    tried = defaultdict(int)
    for page in correspondence.of("your-turn", "reminder"):
        lines = text_of(page.letter).splitlines()
        rules, table = correspondence.tables.head(correspondence.game).rules, correspondence.table(page.row["version"])
        names = handles([name for name, _ in PEOPLE.values()], rules)
        typed = [
            line.removeprefix("  type: ")
            for before, line in pairwise(lines)
            if line.startswith("  type: ") and not before.startswith("  type: ") and line == line.lower()
        ]
        for example_line in typed:
            (action,) = rules.notation.parse(example_line, names)
            assert rules.decider.decide(table.game, page.row["seat"], action)
            tried[page.phase] += 1
    assert set(tried) == {"turn", "bid", "bonus", "assign"}
    assert sum(tried.values()) > 60


def test_out03_what_happened_is_told_since_the_readers_own_last_move(correspondence):
    told = 0
    for page in correspondence.of("your-turn"):
        text = text_of(page.letter)
        story = [line for line in text.splitlines() if line.startswith("  - ")]
        told += bool(story)
        first = "  - The game begins." in story
        assert [("Since you sat down:" in text), ("Since your last move:" in text)] == [
            first,
            story != [] and not first,
        ]
    assert told > 60
    for page in correspondence.of("deadline-passed"):
        text = text_of(page.letter)
        assert "What the caretaker did, and what came of it:" in text
        name = PEOPLE[correspondence.reader(page)][0]
        assert f"{name} let the deadline pass. - The caretaker plays for {name}." in " ".join(text.split())


def test_out03_the_opening_is_told_to_who_sealed_last(sqlite_tables):
    """The bid that completes a round opens all of them; that is news to whoever made it."""
    game = sqlite_tables.begin("ann", "bob")
    for who, line in (("ann", "hide 3"), ("bob", "hide 1"), ("ann", "take")):
        sqlite_tables.move(game, who, line)
    sqlite_tables.deliver()
    told = sqlite_tables.newest_text("bob", "your-turn").partition("Since your last move:")[2]
    assert told.split()[:4] == ["-", "HandsOpened", "-", "PotTaken"]


def test_design7_the_last_strike_is_told_with_how_to_come_back(correspondence):
    for page in correspondence.of("deadline-passed"):
        for part in (text_of(page.letter), html_of(page.letter)):
            flat = " ".join(part.split())
            assert ("your seat is vacant now" in flat) == is_vacant(correspondence, page)
            if is_vacant(correspondence, page):
                assert "That was deadline number 2 in a row" in flat
                assert "join" in flat


def test_design7_a_lost_mail_is_told_to_the_host_with_the_new_deadline(correspondence):
    (page,) = correspondence.of("undeliverable")
    text = text_of(page.letter)
    assert page.letter.to == "ann@people.example"
    assert "until Mon 10 Mar 2031 12:11 UTC" in text
    assert "TAMMANY HALL" not in text


def test_an_invitation_says_how_to_sit_down(correspondence):
    (page,) = correspondence.of("invitation")
    text = text_of(page.letter)
    assert "type: join YOUR NAME" in text
    assert str(parsed(page.letter)["Reply-To"].addresses[0].addr_spec).startswith("mv-")
    assert text.index("type: yes\n") < text.index("type: no\n") < text.index("type: join YOUR NAME")


def test_the_code_mail_shows_a_request_that_works(correspondence):
    for page in correspondence.of("code"):
        text = text_of(page.letter)
        assert "https://wardroom.example/api/v1/tokens" in text
        assert re.search(rf'{{"email": "{page.letter.to}", "code": "[0-9a-z]{{8}}"}}', text)
        assert text.splitlines()[0].split()[-1] in html_of(page.letter)


def test_out30_a_seed_or_a_nonce_is_in_no_mail_before_the_end(correspondence):
    seed = correspondence.table(correspondence.tables.head(correspondence.game).version).seed
    assert seed
    for page in correspondence.pages:
        assert seed not in text_of(page.letter)
        assert len(HASH.findall(text_of(page.letter))) == page.about_game, "the head, and nothing else of that length"


def test_names_that_are_not_ascii_come_out_whole_in_both_parts(correspondence):
    pages = correspondence.of("game-over")
    assert any(PEOPLE["dan"][0] in text_of(page.letter) for page in correspondence.of("your-turn"))
    assert any('Zoë O\'Hara, "Boss" Łuk' in text_of(page.letter) for page in correspondence.of("your-turn"))
    assert any("王小明" in html_of(page.letter) for page in correspondence.of("your-turn"))
    assert len(pages) == 4


# The HTML


class Reader(HTMLParser):
    """What a mail program would make of it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


HARMLESS = set(
    "html head meta title style body div table tr td span h1 h2 p ul li pre code a strong br img b small".split()
)


def test_out04_the_html_is_small_one_column_and_fetches_nothing(correspondence):
    for page in correspondence.pages:
        html = html_of(page.letter)
        assert len(html.encode()) < 100_000
        assert "max-width: 600px" in html
        assert not re.search(r"url\(|@import|@font-face|expression\(|https?://(?!wardroom\.example)", html)
        assert '<meta name="color-scheme" content="light dark">' in html
        assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in html


def test_t50_names_are_text_in_the_html_and_nothing_else(correspondence):
    for page in correspondence.pages:
        reader = Reader(html_of(page.letter))
        assert {tag for tag, _ in reader.tags} <= HARMLESS
        for tag, attributes in reader.tags:
            assert set(attributes) <= {
                *"lang charset name content class role style href tabindex aria-label aria-hidden".split(),
                *"width cellpadding cellspacing border align".split(),
                *PICTURE[tag == "img"],
            }
            assert "alert" not in attributes.get("aria-label", "")
            assert tag == "a" or "href" not in attributes
            assert tag != "img" or attributes["src"] == "cid:board"
            assert re.match(r"https://wardroom\.example|mailto:(mv|cf)-[0-9a-z]{33}@play\.example\?subject=[\w%./~-]+&body=\w",
                            attributes.get("href") or "https://wardroom.example")  # fmt: skip
    scripts = [page for page in correspondence.pages if "alert('cyd')" in Reader(html_of(page.letter)).text]
    assert len(scripts) > 20, "the name is there, as text"


def test_the_html_says_what_the_text_says(correspondence):
    for page in correspondence.of("your-turn", "deadline-passed", "reminder", "undeliverable"):
        text, html = text_of(page.letter), Reader(html_of(page.letter)).text
        assert text.splitlines()[0] in html
        for line in text.splitlines():
            if line.startswith(("Version ", "Receipt: ", "TAMMANY HALL", "Deadline: ")):
                assert " ".join(line.replace(f"hash {line.split()[-1]}", "").split()) in html


# Time


@pytest.mark.parametrize(
    "zone, words",
    [
        ("UTC", "Fri 07 Mar 2031 12:30 UTC"),
        ("Europe/Paris", "Fri 07 Mar 2031 13:30 CET (12:30 UTC)"),
        ("Pacific/Auckland", "Sat 08 Mar 2031 01:30 NZDT (Fri 07 Mar 12:30 UTC)"),
        ("Pacific/Chatham", "Sat 08 Mar 2031 02:15 +1345 (Fri 07 Mar 12:30 UTC)"),
        ("Pacific/Pago_Pago", "Fri 07 Mar 2031 01:30 SST (12:30 UTC)"),
        ("Asia/Kathmandu", "Fri 07 Mar 2031 18:15 +0545 (12:30 UTC)"),
    ],
)
def test_a_deadline_is_told_in_the_zone_of_its_reader(zone, words):
    at = int(datetime(2031, 3, 7, 12, 30, tzinfo=UTC).timestamp()) * 1_000_000
    assert due_words(at, zone) == words


def test_a_deadline_in_the_hour_that_comes_twice_is_told_apart():
    first = int(datetime(2031, 10, 26, 0, 30, tzinfo=UTC).timestamp()) * 1_000_000
    told = [due_words(first + hours * 3600 * 1_000_000, "Europe/Paris") for hours in (0, 1)]
    assert told == ["Sun 26 Oct 2031 02:30 CEST (00:30 UTC)", "Sun 26 Oct 2031 02:30 CET (01:30 UTC)"]


@pytest.mark.parametrize(
    "seconds, words",
    [
        (0, "no time"),
        (-5, "no time"),
        (1, "1 second"),
        (59, "59 seconds"),
        (60, "1 minute"),
        (90, "1 minute 30 seconds"),
        (6 * 3600, "6 hours"),
        (86400, "1 day"),
        (2 * 86400 + 3 * 3600 + 59, "2 days 3 hours"),
        (86400 + 5, "1 day 5 seconds"),
    ],
)
def test_what_is_left_is_told_in_its_largest_units(seconds, words):
    assert left_words(seconds * 1_000_000) == words


# Hostile names


letters = st.characters(exclude_categories=["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"])
hostile = st.sampled_from([*"<>\"\\,;:@()[]'=?é漢ß🎲\u00a0\u3000", "=?", "?=", "  ", "=?UTF-8?Q?=0A?=", "Bcc: x@y.z"])


def acceptable(name: str) -> str | None:
    try:
        return normalise_name(name)
    except ValueError:
        return None


names = (
    st.lists(st.one_of(letters, hostile), min_size=1, max_size=LONGEST_NAME).map("".join).map(acceptable).filter(bool)
)


@pytest.fixture(scope="module")
def plain_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    from config.settings import load
    from service.container import assemble

    data = str(tmp_path_factory.mktemp("plain"))
    services = assemble(load({"WARDROOM_DATA_DIR": data, "WARDROOM_SECRET_KEY": "k" * 32}))
    yield services
    services.database.close()


def display_name(data: bytes) -> str:
    """The reader's name. Encoded words are joined as RFC 2047 has it: Python's own parser puts blanks between them."""
    written = str(BytesHeaderParser(policy=compat32).parsebytes(data)["To"]).replace("\r\n", "").rpartition("<")[0]
    if "=?" in written:
        return str(make_header(decode_header(written.strip())))
    return str(parsed(data)["To"].addresses[0].display_name)


@settings(max_examples=150)
@given(seats=st.lists(names, min_size=1, max_size=5))
@example(seats=['é" <x@y.z>, "b', "\\"])
@example(seats=["a" * 40, "é" * 40, "漢" * 40])
@example(seats=["Bcc: evil@example.com", "x =é? UTF-8?Q?=0A? ="])
@example(seats=["a,b", "c;d", "e:f", "g@h.i", "(j) k"])
def test_t50_no_name_adds_or_changes_a_header_and_all_come_out_as_they_went_in(plain_room, seats):
    notice = Notice(kind="your-turn", game_id="abcdefghij", decision="17", recipient="p_1", created_at=0)
    subject = f"[Tammany Hall #abcdefghij] {', '.join(seats)}"
    envelope = Envelope(
        to="ann@people.example", name=seats[0], sender="Tammany Hall – your turn", subject=subject, references=["<a@b>"]
    )
    text = "".join(f"{name}\n" for name in seats)
    _, data = build(plain_room, notice, envelope, text, f"<p>{len(seats)}</p>")
    assert data.isascii()
    assert data.count(b"\r") == data.count(b"\n") == data.count(b"\r\n")
    assert max(map(len, data.split(b"\r\n"))) <= 998
    message = parsed(data)
    assert [name.lower() for name in message] == [
        name.lower() for name in [*ALWAYS, "References", "In-Reply-To", *MIME]
    ]
    (to,) = message["To"].addresses
    assert to.addr_spec == "ann@people.example"
    assert display_name(data) == seats[0]
    assert message["Subject"] == subject
    assert text_of(data) == text
    old = BytesHeaderParser(policy=compat32).parsebytes(data)
    assert str(make_header(decode_header(old["Subject"].replace("\r\n", "")))) == subject, "also to an older reader"


@pytest.mark.parametrize(
    "name", ["a\nb", "a\rb", "a\x00b", "x\u2028y", "x\u202ey", "=?UTF-8?Q?=0A?=Bcc: x", "\u200b", "…"]
)
def test_t50_a_name_that_could_do_harm_is_no_name(name):
    with pytest.raises(ValueError, match="name"):
        normalise_name(name)


def test_t50_the_display_name_of_a_reader_is_quoted():
    assert str(Address('A "B" <c@d>, e', "ann", "people.example")).startswith('"A \\"B\\"')


# What others may not know (OUT-30)


@pytest.mark.parametrize("seed", range(3))
def test_out30_no_byte_of_a_mail_tells_anothers_sealed_bid(sqlite_tables, seed):
    """Pennies prints its whole view into the mail: what is hidden must not be in it, in whatever encoding."""
    game = sqlite_tables.begin()
    secret = f"canary-{seed}-of-bob"
    sqlite_tables.move(game, "bob", f"hide {seed} {secret}")
    sqlite_tables.advance(days=2, minutes=1)
    sqlite_tables.sweep()
    sqlite_tables.advance(hours=21)
    sqlite_tables.sweep()
    sqlite_tables.deliver()
    sqlite_tables.advance(hours=4)
    assert sqlite_tables.expire(game, 0)
    sqlite_tables.deliver()
    to_others = [letter for letter in sqlite_tables.carrier.letters if not letter.to.startswith("bob")]
    assert len({letter.message_id.partition(".")[0] for letter in to_others}) == 3
    for letter in to_others:
        for part in (letter.data.decode(), text_of(letter), html_of(letter)):
            assert "canary" not in part
    own = [text_of(letter) for letter in sqlite_tables.carrier.letters_to("bob")]
    assert not any("canary" in text for text in own), "nor is it asked for again"


def bare(data: bytes) -> str:
    """What is to be read of a mail, and its headers."""
    return text_of(data) + html_of(data) + re.sub(r"boundary.*", "", data.decode().partition("\r\n\r\n")[0])


@pytest.fixture
def twins(migrated_sqlite: str, open_services: Callable[..., Services], tmp_path) -> Callable[[Tables], Tables]:
    """A copy of the tables: two worlds with one past."""
    made = []

    def copy(tables: Tables) -> Tables:
        file = tmp_path / f"twin-{len(made)}.sqlite"
        shutil.copy(tmp_path / "test.sqlite", file)
        manual_clock = ManualClock()
        manual_clock.at = tables.clock.at
        twin = Tables(open_services(f"sqlite:///{file}", clock=manual_clock), manual_clock)
        twin.ids = dict(tables.ids)
        made.append(twin)
        return twin

    return copy


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.long)])
def test_out30_s02_games_that_differ_in_a_sealed_bid_alone_send_the_others_equal_mails(sqlite_tables, twins, seed):
    """The twin law, over mails: until the bids are opened nobody else can tell one bid from another."""
    game = sqlite_tables.begin("ann", "bob", "cyd", "dan", "eve", kind="tammany-hall")
    while sqlite_tables.phase(game) != "bid" or len(sqlite_tables.awaited(game)) < 3:
        if sqlite_tables.phase(game) == "over":  # three never stood in one ward: another game
            game = sqlite_tables.begin("ann", "bob", "cyd", "dan", "eve", kind="tammany-hall")
        sqlite_tables.play_on(game, seed=seed)
    bidder, *others = sqlite_tables.awaited(game)
    bids = [one for one in sqlite_tables.legal(game, bidder) if one.startswith("bid")]
    worlds = []
    for text in (bids[0], bids[-1]):
        twin = twins(sqlite_tables)
        head = twin.head(game)
        twin.move(game, bidder, text)
        twin.advance(days=2, minutes=1)
        twin.sweep()
        twin.advance(hours=21)
        twin.sweep()
        twin.deliver()
        twin.advance(hours=4)
        assert twin.expire(game, others[0])
        twin.deliver()
        assert twin.head(game).table.game.ward == head.table.game.ward, "nothing was opened"
        worlds.append([letter for letter in twin.carrier.letters if letter.to != address(twin, game, bidder)])
    assert bids[0] != bids[-1]
    one, other = worlds
    assert [letter.message_id for letter in one] == [letter.message_id for letter in other]
    assert [letter.return_path for letter in one] == [letter.return_path for letter in other]
    kinds = {letter.message_id.partition(".")[0] for letter in one}
    assert kinds >= {"<your-turn", "<reminder", "<deadline-passed"}
    for left, right in zip(one, other, strict=True):
        assert renamed(bare(left.data)) == renamed(bare(right.data))
        assert len(left.data) == len(right.data)


def address(tables: Tables, game: str, seat: int) -> str:
    player = tables.head(game).table.chairs[seat].player
    (name,) = [name for name, identity in tables.ids.items() if identity == player]
    return f"{name}@people.example"


def test_out30_a_mail_never_shows_a_position_its_reader_had_not_reached(sqlite_tables):
    """A notice that waits tells of its own version: not what came after it."""
    game = sqlite_tables.begin()
    (row,) = sqlite_tables.notices(recipient=sqlite_tables.ids["ann"])
    sqlite_tables.move(game, "bob", "hide 3 aside")
    letter = sqlite_tables.compose(row)
    assert f"Version {row['version']}," in text_of(letter)
    assert "'hands': {}" in text_of(letter)
    sqlite_tables.move(game, "ann", "hide 1")
    with pytest.raises(Superseded):
        sqlite_tables.compose(row)


def test_the_guide_never_asks_for_what_the_rules_refuse(sqlite_tables):
    """The example of a first move, sent as the mail shows it, is accepted by the service itself."""
    game = sqlite_tables.begin("ann", "bob", "cyd", kind="tammany-hall")
    sqlite_tables.deliver()
    (letter,) = sqlite_tables.carrier.letters
    lines = text_of(letter).splitlines()
    typed = [line.removeprefix("  type: ") for line in lines if line.startswith("  type: ") and "end" not in line]
    assert typed
    player = sqlite_tables.head(game).table.chairs[sqlite_tables.awaited(game)[0]].player
    services = sqlite_tables.services
    with services.database.read() as connection:
        for line in typed:
            try:
                rehearse(services, connection, game, str(player), Orders(text=line))
            except (RuleViolation, OrderNotUnderstood) as error:
                pytest.fail(f"{line}: {error}")
