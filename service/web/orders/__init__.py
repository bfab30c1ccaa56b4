"""Builders of standing orders: rows of fields for what most people order, in place of lines; a module a ruleset.

Each reads the lines that stand into rows and gives back those that no row can hold, and writes the lines of a form.
"""

from types import ModuleType
from typing import Final

from service.web.orders import ballot, proxies

BUILDERS: Final[dict[str, ModuleType]] = {"tammany-hall": ballot, "city-hall": proxies}
"""By ruleset. `rows(head, seat, names)` is what the TEMPLATE draws; `fields(orders)` are orders as fields, and those
that no field can hold; `lines(fields, names)` are the lines of the notation that fields come to."""
