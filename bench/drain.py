"""One worker process of the benchmark of notifications: delivers the outbox until it is empty.

With --wait it says when it is ready, and begins when it is told to.
"""

import sys

from bench import ground
from config.settings import load
from service.container import assemble
from workers.mail_out.channel import deliver
from workers.mail_out.transport import transport


def main() -> None:
    """Deliver everything that is due."""
    settings = load()
    ground.in_wal_mode()
    services, way = assemble(settings), transport(settings)
    if services.database.is_sqlite:
        ground.set_synchronous(services.database.engine, ground.FLOOR)
    if "--wait" in sys.argv:
        with services.database.read():
            print("ready", flush=True)
        sys.stdin.readline()
    deliver(services, way, seconds=600)
    way.close()
    services.database.close()


if __name__ == "__main__":
    main()
