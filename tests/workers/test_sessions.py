"""Sessions: raw mail in, raw mail out; some kept for every byte, the others in outline.

WARDROOM_GOLDEN=write writes them anew: read what changed before it is kept.
"""

import difflib
import os
import re
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path

import pytest

from service.container import Services
from tests.manual_clock import ManualClock
from tests.tables import SETTINGS, Tables
from tests.workers.sessions.outline import Outline
from tests.workers.sessions.record import Session, play
from tests.workers.sessions.table import CHAPTERS, SESSIONS, WHOLE

OUTLINES = Path(__file__).parent / "sessions" / "outlines"
GOLDEN = Path(__file__).parent / "sessions" / "golden"
REQUIREMENT = re.compile(r"\b(?:OUT|IN|RATE)-\d\d\b")


@pytest.fixture
def fresh(
    sqlite_template: Path, tmp_path: Path, open_services: Callable[..., Services]
) -> Callable[[bytes | None], Tables]:
    """Tables on a database of its own."""
    made = 0

    def make(data: bytes | None) -> Tables:
        nonlocal made
        made += 1
        path = tmp_path / f"{made}.sqlite"
        path.write_bytes(sqlite_template.read_bytes() if data is None else data)
        manual_clock = ManualClock()
        return Tables(open_services(f"sqlite:///{path}", clock=manual_clock, **SETTINGS), manual_clock)

    return make


@pytest.mark.parametrize("session", [session for session in SESSIONS if session.name in WHOLE], ids=attrgetter("name"))
def test_what_comes_in_and_what_goes_out(session: Session, fresh: Callable[[bytes | None], Tables]) -> None:
    compare(GOLDEN / f"{session.name}.txt", play(session, fresh))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_what_becomes_of_mails_and_what_the_answers_say(
    chapter: str, fresh: Callable[[bytes | None], Tables], subtests: pytest.Subtests
) -> None:
    """Each session in a few lines: result, commands, what is said first; the rest of a letter is kept by the others."""
    file = OUTLINES / f"{chapter}.txt"
    kept = outlines(file.read_text()) if file.exists() else {}
    now = {session.name: play(session, fresh, Outline) for session in CHAPTERS[chapter] if session.name not in WHOLE}
    if os.environ.get("WARDROOM_GOLDEN") == "write":
        file.write_text("\n".join(now.values()))
        return
    assert list(kept) == list(now)
    for name, page in now.items():
        with subtests.test(name):
            assert_equal(kept[name], page)


def outlines(text: str) -> dict[str, str]:
    """The outlines of a file by the names of their sessions."""
    pages = re.split(r"\n(?=# )", text)
    return {page[2:].partition(":")[0]: page.rstrip("\n") + "\n" for page in pages}


def compare(file: Path, page: str) -> None:
    if os.environ.get("WARDROOM_GOLDEN") == "write":
        file.write_text(page)
    assert_equal(file.read_text() if file.exists() else "", page)


def assert_equal(kept: str, page: str) -> None:
    difference = difflib.unified_diff(kept.splitlines(), page.splitlines(), "kept", "now", lineterm="")
    assert kept == page, "\n" + "\n".join(difference)


def test_every_session_is_kept_and_no_other() -> None:
    names = [session.name for session in SESSIONS]
    assert len(set(names)) == len(names) >= 60
    assert {path.stem for path in GOLDEN.glob("*.txt")} == WHOLE <= set(names)
    assert {path.stem for path in OUTLINES.glob("*.txt")} == set(CHAPTERS)


def test_the_sessions_show_every_requirement_on_incoming_mail_that_a_letter_can_show() -> None:
    """IN-01 to IN-30 and IN-35; what happens before a mail is stored has tests of its own (IN-02, IN-03)."""
    shown = {found for session in SESSIONS for found in REQUIREMENT.findall(session.title)}
    wanted = {f"IN-{number:02}" for number in (1, *range(4, 31), 35)}
    assert wanted - shown == set()
    assert {f"OUT-{number}" for number in (15, 17, 19, 21, 22, 24, 25, 26, 27, *range(30, 38))} - shown == set()
