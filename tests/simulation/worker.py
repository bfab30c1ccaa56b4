"""A worker process: does what the tasks do when a message says so, and dies, freezes and comes back."""

import os
import traceback
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection as Pipe
from types import SimpleNamespace
from typing import Any, Final

from service.container import Services
from service.kernel import fault_points
from service.kernel.clock import SECOND
from service.store.running.heartbeats import beat, last_beat
from tests.simulation.faults import Died, Faults
from tests.simulation.sink import Sink
from workers import sweep
from workers.channels import lease_loop
from workers.mail_out import channel
from workers.processes import ticker


def _sweeps(services: Services, sink: Sink, faults: Faults) -> None:
    """The task `clock.sweep`."""
    with services.database.write() as tx:
        beat(services.database, tx, "beat")
    sweep.sweep_deadlines(services)
    sweep.sweep_reminders(services)
    sweep.sweep_digests(services)


def _delivers(services: Services, sink: Sink, faults: Faults) -> None:
    """The task `mail.deliver`."""
    with fault_points.faults(faults):
        channel.deliver(services, sink)


def _ticks(services: Services, sink: Sink, faults: Faults) -> None:
    """The thread beside the pool: sweeps when no beat was heard for long (Q-2)."""
    with services.database.read() as connection:
        beaten = last_beat(connection, "beat")
        silent = beaten is None or services.database.clock.now(connection) - beaten > ticker.SILENCE * SECOND
    if silent:
        sweep.sweep(services, sink)


TASKS: Final[Mapping[str, Callable[[Services, Sink, Faults], None]]] = {
    "clock.sweep": _sweeps,
    "mail.deliver": _delivers,
    "tick": _ticks,
}


def work(services: Services, pipe: Pipe, sink: Sink, faults: Faults) -> None:
    """Do tasks until there are no more. A death ends the task and forgets what the process knew; it may come twice."""
    services.database.write = faults.around(services.database.write)  # type: ignore[method-assign]
    counted = SimpleNamespace(monotonic=lambda: services.database.clock.counted() / SECOND)
    lease_loop.time = counted  # type: ignore[assignment]
    sink.watch()
    while (message := pipe.recv()) is not None:
        tasks, faults.on = message
        for task in tasks:
            _one(services, sink, faults, task)
        pipe.send(("done", dict(faults.befell)))
        faults.befell.clear()
    os._exit(0)


def _one(services: Services, sink: Sink, faults: Faults, task: str) -> None:
    try:
        TASKS[task](services, sink, faults)
    except Died:
        sink.note(faults.last)
    except Exception as error:  # a task that fails is a line in the log of its worker, and the next one comes
        faults.befell[f"failed {type(error).__name__}"] += 1
        traceback.print_exc()


def told(pipe: Pipe, note: Callable[[str], Any]) -> Callable[[str], None]:
    """Let the conductor and the sink know that this process stands still, and that it goes on."""

    def tell(what: str) -> None:
        note(what)
        pipe.send((what, {}))

    return tell
