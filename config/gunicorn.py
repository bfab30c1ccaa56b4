"""gunicorn in production: `gunicorn -c python:config.gunicorn service.wsgi:app`.

Requests are logged by the application, not here (decision 0103).
"""

from typing import Any

from gunicorn.glogging import Logger

from config.exposure import load_or_exit
from config.http_errors import answer_problems
from config.logging import logging_dict
from config.slow_requests import end_waits, take_bodies

_settings = load_or_exit()


def _address(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class logger_class(Logger):  # type: ignore[misc]
    """gunicorn's log, without a line for each request unless somebody asks for one by --access-logfile."""

    def access(self, *told: Any) -> None:
        """A request was answered."""
        if self.cfg.accesslog:
            super().access(*told)


def post_worker_init(worker: Any) -> None:
    """A process begins to serve."""
    answer_problems(worker)
    take_bodies(worker)
    end_waits(worker)
    worker.wsgi.extensions["wardroom"].begin("web")


def worker_exit(_arbiter: Any, worker: Any) -> None:
    """It ends; one that could not begin has nothing to say."""
    if worker.wsgi is not None:
        worker.wsgi.extensions["wardroom"].end()


bind = [_address(_settings.host, _settings.port)]
if _settings.metrics_listen is not None:
    bind.append(_address(*_settings.metrics_listen))
workers = 1 if _settings.embedded else _settings.processes  # the embedded workers live in one process
worker_class = "config.slow_requests.BufferingWorker"
# Threads of one process that write to SQLite starve each other; processes share its ticket fairly, if none keeps
# connections. The embedded mode has one process only, so there a slow reader must not block the rest.
_one_by_one = _settings.sqlite and not _settings.embedded
threads = 1 if _one_by_one else _settings.threads
preload_app = True  # shares memory; the application connects after the fork
control_socket_disable = True

timeout = 30
graceful_timeout = 30
keepalive = 0 if _one_by_one else 5
max_requests = 20_000
max_requests_jitter = 2_000
limit_request_line = 4_094
limit_request_fields = 50
limit_request_field_size = 8_190

logconfig_dict = logging_dict(_settings)
access_log_format = '%(h)s "%(m)s %(U)s" %(s)s %(B)s %(D)sus'  # where one is asked for, too, no query string is in it
