"""The twin law on calls (S-02): two games that differ in what a seat may not see call it with the same bytes."""

from collections.abc import Iterator

import msgspec
import pytest
import sqlalchemy as sa

from service.store.outgoing import deliveries as queue
from service.store.outgoing.deliveries import PUSH, deliveries
from service.store.outgoing.routes import CALLED_FOR
from tests.service.api.table import ApiTable, Player
from tests.service.api.test_secrecy import Chips, Heard, told_twice
from tests.service.api.twins import Line, renamed, worlds
from workers.letters.letter_data import Superseded
from workers.push.message import Held, compose

__all__ = ["worlds"]


def called(table: ApiTable, *eyes: Player) -> Heard:
    """All that these would be shown just now, and what their push services are told."""
    return {who.name: renamed(list(_calls(table, who))) for who in eyes}


def _calls(table: ApiTable, who: Player) -> Iterator[Line]:
    """What each notice to somebody is on a device, from the first on; those of this moment are still true."""
    services = table.api.services
    mine = sa.select(deliveries.c.id).where(deliveries.c.recipient == who.id, deliveries.c.kind.in_(CALLED_FOR))
    with services.database.read() as connection:
        for mail in queue.of_ids(connection, list(connection.execute(mine.order_by(deliveries.c.id)).scalars())):
            try:
                call = compose(services, connection, msgspec.structs.replace(mail, channel=PUSH, target="d_1"))
                told = msgspec.json.encode(call).decode()
            except (Superseded, Held) as why:
                told = str(why)
            yield mail.kind, mail.version, (), told


@pytest.mark.slow
def test_s02_no_call_tells_others_what_a_sealed_bid_holds(worlds):
    def story(table: ApiTable, secretive: Player, chips: Chips) -> Iterator[Heard]:
        others = [one for one in table.seated if one is not secretive]
        table.bid(secretive, **chips)
        table.bid(others[0])
        heard = called(table, *others)
        assert any('"asks":true' in told for _, _, _, told in heard[others[1].name]), "who bids last is called still"
        yield heard

    told_twice(worlds, story)
