"""A deliverer that kills itself at a fault point: python -m tests.workers.doomed URL DATA SMTP POINT NUMBER."""

import os
import signal
import sys
from collections import Counter

from config.readers import smtp_server
from service.kernel.fault_points import faults
from tests.service.store.service_tables import room_of_a_script
from workers.mail_out.channel import deliver
from workers.mail_out.transport import Smtp


def main(url: str, data: str, smtp: str, point: str, number: str) -> None:
    services = room_of_a_script(url, data)
    server = smtp_server(smtp)
    assert server is not None
    reached: Counter[str] = Counter()

    def fault(name: str) -> None:
        reached[name] += 1
        if name == point and reached[name] == int(number):
            os.kill(os.getpid(), signal.SIGKILL)

    with faults(fault):
        deliver(services, Smtp(server, services.settings))


if __name__ == "__main__":
    main(*sys.argv[1:])
