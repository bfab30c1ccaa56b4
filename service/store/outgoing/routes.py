"""The channels a notice goes out on: of which kinds, and to which targets of its recipient."""

from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from service.store.outgoing.deliveries import FEED, MAIL, PUSH, WEBHOOK
from service.store.outgoing.devices import SIGNED_IN, devices
from service.store.people.tokens import FEED as FEED_TOKEN
from service.store.people.tokens import tokens
from service.store.rows import WebhookRow

webhooks: Final = WebhookRow.__table__  # type: ignore[attr-defined]
PING: Final = "ping"
TOLD_TO_WEBHOOKS: Final = frozenset({"your-turn", "reminder", "deadline-passed", "game-over", "operator-act"})
"""The kinds of notices that go to webhooks, too, as `service.notify.kind` has them; pings go nowhere else."""
TOLD_IN_FEEDS: Final = frozenset(
    {
        "your-turn", "deadline-passed", "game-over", "orders-dropped", "brief", "proposal", "taken-back", "clock-news",
        "vacant", "operator-act", "begin",
    }
)  # fmt: skip
"""The kinds that stand in the feeds of players, too."""
CALLED_FOR: Final = TOLD_TO_WEBHOOKS | {
    "talk", "orders-dropped", "proposal", "taken-back", "clock-news", "vacant", "begin",
}  # fmt: skip
"""The kinds that devices are called for."""


class Route(NamedTuple):
    """What a channel delivers: kinds of notices (None for all), and to whose targets (None for the one target "")."""

    kinds: frozenset[str] | None = None
    targets: sa.Select[Any] | None = None  # a player's id, and a target of theirs
    chosen: bool = False  # whether `targets` say in a third column which kinds each takes, None for all


ROUTES: Final[dict[str, Route]] = {
    MAIL: Route(),
    WEBHOOK: Route(
        TOLD_TO_WEBHOOKS,
        sa.select(webhooks.c.player_id, webhooks.c.id.label("target"), webhooks.c.kinds).where(
            webhooks.c.state == sa.literal_column("'on'")
        ),
        chosen=True,
    ),
    FEED: Route(
        TOLD_IN_FEEDS,
        sa.select(tokens.c.player_id, sa.literal_column("''").label("target")).where(
            tokens.c.kind == sa.literal_column(f"'{FEED_TOKEN}'")
        ),
    ),
    PUSH: Route(CALLED_FOR, sa.select(devices.c.player_id, devices.c.id.label("target")).where(SIGNED_IN)),
}
