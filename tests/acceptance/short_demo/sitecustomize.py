"""Imported by Python itself where this folder leads PYTHONPATH: a demo of pennies in which somebody falls silent.

The demo starts a service in a process of its own; both of them know the game by this.
"""

from domain.rulesets import RULESETS
from service.commands.bots import demo
from tests.domain.table.pennies import PENNIES

RULESETS[PENNIES.kind] = PENNIES  # type: ignore[index]
demo.SILENT_AFTER = -1  # type: ignore[misc]
