"""The Celery application: `celery -A workers.app worker`. Messages are hints; the truth is in the database."""

from typing import Any, Final

from celery import Celery, signals

from config.celery import Queue, celery_config
from config.exposure import load_or_exit
from config.logging import configure
from service.container import Services, assemble
from service.store.structure.schema import require_or_exit
from workers.bots.thinker import Thinker
from workers.mail_in.inbox_worker import Postroom
from workers.mail_out.transport import Transport, transport

settings: Final = load_or_exit()
app: Final = Celery("wardroom", include=["workers.tasks"])
app.conf.update(celery_config(settings))
_kept: dict[str, Any] = {}


def services() -> Services:
    """The service of this process."""
    if "services" not in _kept:
        _kept["services"] = assemble(settings)
    found: Services = _kept["services"]
    return found


def way_out() -> Transport:
    """The mail transport of this process."""
    if "transport" not in _kept:
        _kept["transport"] = transport(settings)
    found: Transport = _kept["transport"]
    return found


def postroom() -> Postroom:
    """The postroom of this process."""
    if "postroom" not in _kept:
        _kept["postroom"] = Postroom(services())
    found: Postroom = _kept["postroom"]
    return found


def thinker() -> Thinker:
    """The worker of bots of this process."""
    if "thinker" not in _kept:
        _kept["thinker"] = Thinker(services())
    found: Thinker = _kept["thinker"]
    return found


def role() -> str:
    """What the Procfile calls this worker."""
    return "worker" if Queue.MAIL in app.amqp.queues.consume_from else "bots"


@signals.setup_logging.connect
def _log(**_: object) -> None:
    configure(settings)


@signals.worker_init.connect
@signals.beat_init.connect
def _look_at_schema(**_: object) -> None:
    """Before a pool is forked: all that follow rest on the schema."""
    require_or_exit(services().database)


@signals.worker_process_init.connect
def _forked(**_: object) -> None:
    """A child of the pool has connections of its own."""
    if "services" in _kept:
        services().database.forked()
    _kept.clear()
    services().begin(role())


@signals.worker_process_shutdown.connect
def _ends(**_: object) -> None:
    """It ends by the worker's will."""
    services().end()
