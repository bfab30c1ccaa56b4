"""The legal moves of a running benchmark, one a line: path, token, version seen, body, key; tabs between them.

In the first term a seat to move may always place two bosses into ward 14 and end its turn: three facts, one notice.
"""

import random
import sqlite3
import sys
from contextlib import closing
from typing import Final

QUERY: Final = (
    "SELECT game_id, player_id, since FROM decisions WHERE decision >= 'turn-1' AND decision < 'turn-5' ORDER BY since"
)
BODIES: Final = {
    "actions": '{"actions":[{"type":"place","wards":[14,14]},{"type":"end"}]}',
    "text": '{"text":"place 14 14\\nend"}',
}


def legal_moves(url: str) -> list[tuple[str, str, int]]:
    """Game, player and version of every move that may be sent now."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), timeout=30)) as connection:
            return connection.execute(QUERY).fetchall()
    import psycopg

    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        return connection.execute(QUERY).fetchall()


def main(url: str, body: str, key: str = "") -> None:
    """Print them."""
    for game, player, since in legal_moves(url):
        once = f"{random.getrandbits(64):x}" if key else "-"
        print(f"/api/v1/games/{game}/moves\twr_{player}\t{since}\t{BODIES[body]}\t{once}")


if __name__ == "__main__":
    main(*sys.argv[1:])
