"""Celery's queues, routes, limits and schedule. Messages are hints: the truth is in the database's due tables."""

import ssl
from enum import StrEnum
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import kombu

from config.settings import Settings


class Queue(StrEnum):
    """Where tasks wait. Every queue is consumed by a worker of the Procfile; that of bots by one of low priority."""

    MAIL = "mail"
    CLOCK = "clock"
    HOUSE = "house"
    BOTS = "bots"


SOFT_LIMIT: Final = 110
HARD_LIMIT: Final = 130
"""Seconds a task may take: more than all SMTP timeouts together, so that those are what ends a slow dialogue."""
VISIBILITY_TIMEOUT: Final = 300
"""Seconds after which Redis hands an unacknowledged message to another worker; far above HARD_LIMIT."""
HOUSEKEEPING_SECONDS: Final = 300
FETCHING_SECONDS: Final = 60
"""How often the IMAP mailbox is looked into, where there is one."""


def celery_config(settings: Settings, *, web: bool = False) -> dict[str, Any]:
    """Return Celery's configuration. A `web` process only sends a wakeup and never waits for a broker that hangs."""
    return {
        "broker_url": urlsplit(settings.redis_url)._replace(query="").geturl(),
        "broker_use_ssl": tls(settings.redis_url),
        "redis_backend_use_ssl": tls(settings.redis_url),
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "broker_channel_error_retry": True,  # a Redis that refuses writes is away, and no reason to end
        "worker_consumer": "workers.consumer:Consumer",
        "broker_transport_options": _transport(settings, web=web),
        "task_queues": [kombu.Queue(queue.value, kombu.Exchange(queue.value), queue.value) for queue in Queue],
        "task_routes": {f"{queue}.*": {"queue": queue.value} for queue in Queue},
        "task_default_queue": Queue.HOUSE.value,
        "task_create_missing_queues": False,
        "task_acks_late": False,  # a hint is done with when heard; an ack that waits takes the worker down with Redis
        "task_ignore_result": True,
        "task_publish_retry": False,
        "task_send_sent_event": False,
        "task_soft_time_limit": SOFT_LIMIT,
        "task_time_limit": HARD_LIMIT,
        "task_serializer": "json",
        "accept_content": ["json"],
        "timezone": "UTC",
        "worker_prefetch_multiplier": 1,
        "worker_send_task_events": False,
        "worker_soft_shutdown_timeout": 15,
        "worker_enable_soft_shutdown_on_idle": False,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "beat_scheduler": "celery.beat:Scheduler",  # no schedule file: a tick missed or doubled changes nothing
        "beat_schedule": {
            "mail.deliver": _every(settings.sweep_seconds, "mail.deliver"),
            "clock.sweep": _every(settings.sweep_seconds, "clock.sweep"),
            "house.keep": _every(HOUSEKEEPING_SECONDS, "house.keep"),
            "bots.think": _every(settings.sweep_seconds, "bots.think"),
            **({"mail.fetch": _every(FETCHING_SECONDS, "mail.fetch")} if settings.imap_url is not None else {}),
        },
    }


def tls(url: str) -> dict[str, Any]:
    """Return how Celery checks the certificate of a Redis with TLS; empty without TLS. Celery's default checks none."""
    found = urlsplit(url)
    if found.scheme != "rediss":
        return {}
    return {"ssl_cert_reqs": ssl.CERT_REQUIRED, "ssl_check_hostname": True, **dict(parse_qsl(found.query))}


def _every(seconds: int, task: str) -> dict[str, Any]:
    """A tick nobody took before the next one is dropped."""
    return {"task": task, "schedule": float(seconds), "options": {"expires": seconds}}


def _transport(settings: Settings, *, web: bool) -> dict[str, Any]:
    if settings.embedded:
        return {"polling_interval": 0.1}  # the default second is a second's delay of every mail
    return {
        "visibility_timeout": VISIBILITY_TIMEOUT,
        "unacked_restore_interval": 10,
        "unacked_restore_throttle": 1,
        "socket_timeout": 0.5 if web else 5,
        "socket_connect_timeout": 0.5,
        "socket_keepalive": True,
        "health_check_interval": 10,
    }
