"""What comes of asking for somebody's turn in another process, which knows nothing but the database."""

from typing import Any

from service.store.database import Database
from service.store.running.turns import TooManyAtOnce, one_at_a_time


def take_turn(url: str, answer: Any) -> None:
    """Send what comes of asking for the turn of ann, and of bob."""
    database = Database(url)
    for caller in ("ann", "bob"):
        with database.read() as connection:
            try:
                with one_at_a_time(database, connection, caller):
                    answer.send("mine")
            except TooManyAtOnce:
                answer.send("taken")
    database.close()
