"""A check of a whole run: a function of `service/store` that runs statements does so on SQLite and on PostgreSQL.

Statements of child processes are not counted. With pytest-xdist the workers report to the process that prints.
"""

import sys
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest
import sqlalchemy as sa

from service import store
from service.store.statements import Statement
from tests.closing import Closing

ROOT: Final = Path(store.__path__[0])
RUNNERS: Final = {f"{ROOT / name}.py" for name in ("connection", "database", "records", "statements")}
"""The modules that run the statements of other functions."""
ONE_BY_NATURE: Final = (
    "across/gauges.py:server_version", "engines.py", "event_store/house_log.py:lock", "event_store/moved_games.py",
    "games/analyses.py:serialise", "incoming/inbox.py:keep_arrivals_out", "incoming/inbox.py:mark_arrival",
    "migrations/", "people/guests.py:lock", "running/operator_acts.py:serialise", "running/turns.py:_held",
    "structure/",
)  # fmt: skip
"""The beginnings of names of functions that need one database only: its locks, its roles, its files."""


class BothDatabases:
    """The functions that ran statements. A plugin of pytest, registered in `conftest.py`."""

    def __init__(self, closing: Closing, root: Path = ROOT) -> None:
        self.closing, self.root, self.service = closing, f"{root}/", f"{root.parent}/"
        self.ran: set[tuple[str, str, str]] = set()  # database, file, function
        self.failures: list[str] = []

    def watch(self) -> None:
        """Note every statement from now on: those that run on the driver, and those of SQLAlchemy."""
        find = Statement._for

        def find_and_note(statement: Statement, connection: Any) -> Any:
            self.note(connection)
            return find(statement, connection)

        Statement._for = find_and_note  # type: ignore[method-assign]
        sa.event.listen(sa.Engine, "before_cursor_execute", self.note)

    def note(self, connection: Any, *_: Any) -> None:
        """Add the innermost function of the service on the stack, if it is in the store."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            code = frame.f_code
            if code.co_filename.startswith(self.service) and code.co_filename not in RUNNERS:
                if code.co_filename.startswith(self.root):
                    self.ran.add((connection.dialect.name, code.co_filename, code.co_qualname))
                return
            frame = frame.f_back

    def one_sided(self) -> list[str]:
        """Return a sentence for each function whose statements ran on one database only."""
        databases: dict[str, set[str]] = {}
        for database, file, function in self.ran:
            name = f"{file.removeprefix(self.root)}:{function.partition('.<locals>')[0]}"
            databases.setdefault(name, set()).add(database)
        return [
            f"service/store/{name} ran its statements on {found.pop()} only: let a test run it on the other database"
            for name, found in sorted(databases.items())
            if len(found) == 1 and not name.startswith(ONE_BY_NATURE)
        ]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add what a worker ran."""
        self.ran.update(map(tuple, getattr(node, "workeroutput", {}).get("both databases", ())))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        config = self.closing.config
        if hasattr(config, "workeroutput"):
            config.workeroutput["both databases"] = list(map(list, self.ran))
        elif self.closing.is_whole() and exitstatus == pytest.ExitCode.OK and (found := self.one_sided()):
            self.failures, session.exitstatus = found, pytest.ExitCode.TESTS_FAILED

    def pytest_unconfigure(self) -> None:
        print("".join(f"FAILED: {sentence}\n" for sentence in self.failures), end="")
