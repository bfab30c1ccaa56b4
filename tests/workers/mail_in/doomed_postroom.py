"""A postroom that kills itself at a point: python -m tests.workers.mail_in.doomed_postroom URL DATA POINT NUMBER."""

import os
import signal
import sys
from collections import Counter

from config.settings import load
from domain.rulesets import RULESETS
from service.container import assemble
from service.kernel.fault_points import faults
from tests.domain.table.pennies import PENNIES
from tests.tables import SETTINGS
from workers.mail_in.inbox_worker import Postroom


def main(url: str, data: str, point: str, number: str) -> None:
    RULESETS[PENNIES.kind] = PENNIES  # type: ignore[index]
    given = {**SETTINGS, "DATABASE_URL": url, "DATA_DIR": data, "SECRET_KEY": "k" * 32, "RATE_LIMITS": "off"}
    services = assemble(load({f"WARDROOM_{name}": value for name, value in given.items()}))
    reached: Counter[str] = Counter()

    def fault(name: str) -> None:
        reached[name] += 1
        if name == point and reached[name] == int(number):
            os.kill(os.getpid(), signal.SIGKILL)

    with faults(fault):
        Postroom(services).work()


if __name__ == "__main__":
    main(*sys.argv[1:])
