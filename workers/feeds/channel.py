"""The channel of feeds: what a notice tells is put into its recipient's feed, for their own programs to fetch."""

from typing import Final

import msgspec

from service.container import Services
from service.store.database import Connection
from service.store.outgoing import deliveries, feed_entries
from service.store.outgoing.deliveries import FEED, Delivery
from workers.channels import lease_loop, retries
from workers.channels.channel import Channel, Outcome, Verdict
from workers.feeds.entry import compose
from workers.letters.letter_data import Superseded

KEPT: Final = 60
"""Entries of one feed."""


class Feeds(Channel):
    """Entries of feeds: nothing leaves, so nothing can be away."""

    name = FEED
    retries = retries.FEED
    not_made = "it could not be told"

    def __init__(self, services: Services) -> None:
        self.services = services

    def send(self, delivery: Delivery) -> Outcome:
        """Write down what a notice that is still true tells."""
        with self.services.database.read() as connection:
            try:
                entry = compose(self.services, connection, delivery)
            except Superseded as untrue:
                return Outcome(Verdict.SUPERSEDED, str(untrue))
        with self.services.database.write() as tx:
            kept = deliveries.keep_body(tx, delivery, msgspec.json.encode(entry).decode())
        return Outcome(Verdict.SENT) if kept else Outcome(Verdict.HELD, "its lease was lost")

    def follow_up(self, tx: Connection, delivery: Delivery, outcome: Outcome, now: int) -> None:
        """A feed holds what is new."""
        feed_entries.keep_newest(tx, delivery.recipient, KEPT)


def tell_feeds(services: Services) -> int:
    """Put into the feeds what is due there. How many entries."""
    return lease_loop.deliver(services, Feeds(services))
