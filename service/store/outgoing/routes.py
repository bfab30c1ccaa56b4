"""The channels a notice goes out on: of which kinds, and to which targets of its recipient."""

from typing import Final, NamedTuple

import sqlalchemy as sa

from service.store.outgoing.deliveries import MAIL, WEBHOOK
from service.store.rows import WebhookRow

webhooks: Final = WebhookRow.__table__  # type: ignore[attr-defined]
PING: Final = "ping"
TOLD_TO_WEBHOOKS: Final = frozenset({"your-turn", "reminder", "deadline-passed", "game-over"})
"""The kinds of notices that go to webhooks, too, as `service.notify.kind` has them; pings go nowhere else."""


class Route(NamedTuple):
    """What a channel delivers: kinds of notices (None for all), and to whose targets (None for the one target "")."""

    kinds: frozenset[str] | None = None
    targets: sa.Select[tuple[str, str]] | None = None  # a player's id, and a target of theirs


ROUTES: Final[dict[str, Route]] = {
    MAIL: Route(),
    WEBHOOK: Route(
        TOLD_TO_WEBHOOKS,
        sa.select(webhooks.c.player_id, webhooks.c.id.label("target")).where(
            webhooks.c.state == sa.literal_column("'on'")
        ),
    ),
}
