"""gunicorn in production: `gunicorn -c config/gunicorn.py service.wsgi:app`."""

from config.exposure import load_or_exit
from config.http_errors import answer_problems
from config.logging import logging_dict

_settings = load_or_exit()

bind = f"[{_settings.host}]:{_settings.port}" if ":" in _settings.host else f"{_settings.host}:{_settings.port}"
workers = 1 if _settings.embedded else _settings.processes  # the embedded workers live in one process
# Threads of one process that write to SQLite starve each other; processes share its ticket fairly. The embedded mode
# has one process only, so there a slow reader must not block the rest.
worker_class = "sync" if _settings.sqlite and not _settings.embedded else "gthread"
threads = 1 if worker_class == "sync" else _settings.threads
preload_app = True  # shares memory; the application connects after the fork
control_socket_disable = True
post_worker_init = answer_problems

timeout = 30
graceful_timeout = 30
keepalive = 5
max_requests = 20_000
max_requests_jitter = 2_000
limit_request_line = 4_094
limit_request_fields = 50
limit_request_field_size = 8_190

logconfig_dict = logging_dict(_settings)
accesslog = "-"
access_log_format = '%(h)s "%(m)s %(U)s" %(s)s %(B)s %(D)sus'  # %(U)s: the path without its query string
