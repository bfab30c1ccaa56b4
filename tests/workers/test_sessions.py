"""Golden sessions: raw mail in, raw mail out, the same bytes every time.

WARDROOM_GOLDEN=write writes them anew: read what changed before it is kept.
"""

import difflib
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from service.container import Services
from tests.workers.office import Hands
from tests.workers.post import SETTINGS, Post
from tests.workers.sessions.record import Session, play
from tests.workers.sessions.table import SESSIONS

GOLDEN = Path(__file__).parent / "sessions" / "golden"
REQUIREMENT = re.compile(r"\b(?:OUT|IN|RATE)-\d\d\b")


@pytest.fixture
def fresh(
    sqlite_template: Path, tmp_path: Path, open_services: Callable[..., Services]
) -> Callable[[bytes | None], Post]:
    """A post office on a database of its own."""
    made = 0

    def make(data: bytes | None) -> Post:
        nonlocal made
        made += 1
        path = tmp_path / f"{made}.sqlite"
        path.write_bytes(sqlite_template.read_bytes() if data is None else data)
        hands = Hands()
        return Post(open_services(f"sqlite:///{path}", clock=hands, **SETTINGS), hands)

    return make


@pytest.mark.parametrize("session", SESSIONS, ids=lambda one: one.name)
def test_what_comes_in_and_what_goes_out(session: Session, fresh: Callable[[bytes | None], Post]) -> None:
    page = play(session, fresh)
    file = GOLDEN / f"{session.name}.txt"
    if os.environ.get("WARDROOM_GOLDEN") == "write":
        file.write_text(page)
    kept = file.read_text() if file.exists() else ""
    difference = difflib.unified_diff(kept.splitlines(), page.splitlines(), "kept", "now", lineterm="")
    assert kept == page, "\n" + "\n".join(difference)


def test_every_session_is_kept_and_no_other() -> None:
    names = [session.name for session in SESSIONS]
    assert len(set(names)) == len(names) >= 60
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(names)
    assert sum(path.stat().st_size for path in GOLDEN.glob("*.txt")) < 1_500_000


def test_the_sessions_show_every_requirement_on_incoming_mail_that_a_letter_can_show() -> None:
    """IN-01 to IN-30 and IN-35; what happens before a mail is stored has tests of its own (IN-02, IN-03)."""
    shown = {found for session in SESSIONS for found in REQUIREMENT.findall(session.title)}
    wanted = {f"IN-{number:02}" for number in (1, *range(4, 31), 35)}
    assert wanted - shown == set()
    assert {f"OUT-{number}" for number in (15, 17, 19, 21, 22, 24, 25, 26, 27, *range(30, 38))} - shown == set()
