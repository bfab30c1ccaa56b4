"""A process that plays until it is killed: python -m tests.service.store.mover URL FOLDER NAME. It says every move that
was acknowledged.
"""

import sys
import time

from sqlalchemy import Connection

from service.games import play as games
from service.games.outcomes import Moved
from service.games.play import Orders
from tests.service.store.service_tables import room_of_a_script
from tests.tables import Tables


def main(url: str, folder: str, name: str) -> None:
    """Games of three rounds with two people of its own, one after the other, without end."""
    tables = Tables(room_of_a_script(url, folder))
    one, other = f"{name}1", f"{name}2"
    tables.player(one)
    tables.player(other)
    print("ready", flush=True)
    sys.stdin.readline()  # until it may go
    while True:
        began = time.monotonic()
        with tables.services.database.write() as tx:
            moved = open_game(tables, tx, one)
        game = moved.head.game
        said(moved, began)
        took_seat = False
        while moved.head.table.status in ("open", "running"):
            head, began = moved.head, time.monotonic()
            with tables.services.database.write() as tx:
                if not took_seat:
                    moved, took_seat = games.take_seat(tables.services, tx, game, tables.ids[other], None), True
                else:
                    player = head.table.chairs[min(head.rules.decider.awaiting(head.table.game))].player
                    text = "hide 2" if head.table.game.phase == "hide" else "nod\ntake"
                    assert player is not None
                    moved = games.move(tables.services, tx, game, player, Orders(text=text))
            said(moved, began)


def open_game(tables: Tables, tx: Connection, host: str) -> Moved:
    terms = {"kind": "pennies", "seats": 2, "options": {"rounds": "3"}, "clock": {}, "public": True}
    return games.open_game(tables.services, tx, tables.ids[host], **terms, bots=0, invite=[], nonce=None)  # type: ignore[arg-type]


def said(moved: Moved, began: float) -> None:
    """One line for what was acknowledged: game, version, hash, and when it was begun and ended, in seconds."""
    print(moved.head.game, moved.head.version, moved.head.hash, began, time.monotonic(), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:4])
