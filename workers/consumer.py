"""The part of a Celery worker that listens to Redis. It waits while Redis refuses writes.

Celery itself ends, or retries without a pause, if Redis is a read-only replica or out of memory.
"""

import time
from typing import Any, Final

from celery.worker import consumer
from celery.worker.state import maybe_shutdown

from service.kernel.log import log
from service.telemetry.neighbours import RedisTrouble, redis_trouble
from workers.app import settings

PAUSE: Final = 2
"""Seconds between two questions whether Redis takes writes."""


class Consumer(consumer.Consumer):
    """Celery's consumer, which connects only to a Redis that takes writes."""

    def connect(self) -> Any:
        """Wait until Redis takes writes, then connect. The ticker does the work meanwhile."""
        seen: RedisTrouble | None = None
        while (trouble := redis_trouble(settings)) is not None:
            if trouble != seen:
                log("wardroom.redis", "warning", "Redis cannot be used", why=trouble.sentence, said=trouble.said)
                seen = trouble
            maybe_shutdown()
            time.sleep(PAUSE)
        return super().connect()
