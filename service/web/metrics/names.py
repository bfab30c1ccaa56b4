"""All metrics by name: what each says, and by which labels it is told apart. None has a label that strangers fill."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from service.kernel.measures import BOUNDS, LABELS, Labels


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric as its page says it; counters are exposed with "_total" behind their names."""

    help: str
    labels: Labels = ()


GAUGES: Final[Mapping[str, Metric]] = {
    "wardroom_build_info": Metric(
        "1, of the code and what it runs on", ("release", "commit", "python", "database", "database_version", "schema")
    ),
    "wardroom_database_up": Metric("Whether the database answers"),
    "wardroom_redis_up": Metric("Whether Redis answers; absent where none is used"),
    "wardroom_news_up": Metric("Whether the news process answers and hears of moves; absent where none is set"),
    "wardroom_news_streams": Metric("Open pages that the news process tells"),
    "wardroom_ready": Metric("What /readyz looks at: 1 is well", ("check",)),
    "wardroom_disk_free_bytes": Metric("What may still be written where the data is"),
    "wardroom_processes": Metric("Processes that said within a minute that they live, by their role", ("process",)),
    "wardroom_process_resident_bytes": Metric("Memory of the processes of a role", ("process",)),
    "wardroom_process_open_files": Metric("Files and connections they have open", ("process",)),
    "wardroom_process_start_time_seconds": Metric("When the oldest of them started", ("process",)),
    "wardroom_database_connections": Metric(
        "Connections to the database: in use, idle, and overflow, which are among those and not kept",
        ("process", "state"),
    ),
    "wardroom_database_connections_max": Metric("The most that the processes of a role may have", ("process",)),
    "wardroom_outbox": Metric("Notices by state", ("state",)),
    "wardroom_outbox_oldest_seconds": Metric("Age of the oldest notice that is due"),
    "wardroom_outbox_depth": Metric("Deliveries that are not done with, by channel", ("channel",)),
    "wardroom_outbox_due": Metric("Those of them that are due", ("channel",)),
    "wardroom_destinations_down": Metric("What does not answer", ("channel",)),
    "wardroom_addresses_stopped": Metric("Addresses that mail does not reach"),
    "wardroom_inbound": Metric("Mails that came in, by state", ("state",)),
    "wardroom_inbound_oldest_seconds": Metric("Age of the oldest mail not done with"),
    "wardroom_inbox_depth": Metric("Mails that came in and are not done with"),
    "wardroom_queue_age_seconds": Metric("How long the oldest waits that is due", ("queue",)),
    "wardroom_games": Metric("Games by status", ("status",)),
    "wardroom_games_halted": Metric("Games that are stopped, as they do not verify"),
    "wardroom_clocks_running": Metric("Decisions that somebody owes by a time"),
    "wardroom_deadlines_due": Metric("Those whose time is over and that nobody has decided yet"),
    "wardroom_deadlines_held": Metric("1 while no deadline is decided, by why", ("why",)),
    "wardroom_triggers_wrong": Metric("Triggers of the database that are missing, changed or off"),
    "wardroom_thoughts": Metric("What bots have to think about, by state", ("state",)),
    "wardroom_thoughts_oldest_seconds": Metric("Age of the oldest that nobody thinks about"),
    "wardroom_heartbeat_age_seconds": Metric("Seconds since a sign of life", ("name",)),
    "wardroom_scrape_seconds": Metric("What it took to find all this"),
}
HELP: Final[Mapping[str, str]] = {
    "wardroom_requests": "Requests answered, by operation, method and class of status",
    "wardroom_request_seconds": "What answering took; requests that wait for news are operations of their own",
    "wardroom_deliveries": "Deliveries that were tried, by what came of it",
    "wardroom_delivery_lateness_seconds": "From when a delivery was due until it was handed over",
    "wardroom_deadline_lateness_seconds": "From when the caretaker was to act until it did",
    "wardroom_database_waits": "How often all connections of a process were in use when one was wanted",
    "wardroom_process_cpu_seconds": "Processor time of the processes of a role",
}
COUNTERS: Final[Mapping[str, Metric]] = {
    name: Metric(text, LABELS[name]) for name, text in HELP.items() if name not in BOUNDS
}
HISTOGRAMS: Final[Mapping[str, Metric]] = {name: Metric(HELP[name], LABELS[name]) for name in BOUNDS}
