"""What a letter asks of the database: so many statements, none of the usual ones put together for each letter anew."""

import re
from collections import Counter

import pytest
import sqlalchemy as sa

from service.store.database import Database
from service.store.statements import Statement

OF_A_LETTER = 34
"""From the claim to the settlement that claims the next."""
BUILT_ANEW = 4
"""Of these, statements that are put together for every letter."""
TRANSACTIONS = 2
"""That write: the addresses in a letter are made good before it leaves; it is settled, and the next one claimed."""


@pytest.fixture
def asked(monkeypatch, sqlite_tables):
    """Counts statements of letters: those built anew, those compiled once, and transactions."""
    found = Counter()
    call, write = Statement.__call__, Database.write

    def compiled(self, *args, **values):
        found["compiled"] += 1
        return call(self, *args, **values)

    def begun(self):
        found["writes"] += 1
        return write(self)

    @sa.event.listens_for(sqlite_tables.services.database.engine, "before_cursor_execute")
    def executed(connection, cursor, statement, *rest):
        if not re.match(r"PRAGMA|BEGIN", statement):
            found["anew"] += 1

    monkeypatch.setattr(Statement, "__call__", compiled)
    monkeypatch.setattr(Database, "write", begun)
    return found


def test_a_letter_asks_the_database_so_often(sqlite_tables, asked):
    """Measured between one letter and four, so that what a round of deliveries asks once does not count."""
    counted = []
    sqlite_tables.begin(kind="tammany-hall")
    sqlite_tables.deliver()
    for games in (1, 4):
        for _ in range(games):
            sqlite_tables.begin(kind="tammany-hall")
        asked.clear()
        assert sqlite_tables.deliver() == games
        counted.append(Counter(asked))
    anew, compiled, writes = ((counted[1][name] - counted[0][name]) / 3 for name in ("anew", "compiled", "writes"))
    assert anew <= BUILT_ANEW
    assert anew + compiled <= OF_A_LETTER
    assert writes == TRANSACTIONS
