"""A listener that kills itself at a point: python -m tests.workers.mail_in.doomed_listener URL DATA PORT POINT."""

import os
import signal
import sys

from config.readers import Listener
from service.kernel.fault_points import faults
from tests.service.store.service_tables import room_of_a_script
from workers.mail_in.listener import MailListener
from workers.mail_in.port import bind


def main(url: str, data: str, port: str, point: str) -> None:
    services = room_of_a_script(url, data)
    listener = Listener("127.0.0.1", int(port), lmtp=False)

    def fault(name: str) -> None:
        if name == point:
            os.kill(os.getpid(), signal.SIGKILL)

    with faults(fault):
        running = MailListener(services, listener, bind(listener))
    running.start()
    running.thread.join()


if __name__ == "__main__":
    main(*sys.argv[1:])
