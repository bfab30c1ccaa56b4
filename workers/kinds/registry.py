"""All kinds of notices, collected from the modules of this room: each that makes a `KIND` is one."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Final

import workers.kinds
from service.container import Services
from service.store.database import Connection
from service.store.outgoing.notice import Notice
from workers.kinds.kind import NoticeKind
from workers.letters.letter_data import Asked


def modules() -> dict[str, ModuleType]:
    """The modules that make a kind, by its name."""
    names = [module.name for module in iter_modules(workers.kinds.__path__) if module.name != "registry"]
    found = [import_module(f"workers.kinds.{name}") for name in names]
    return {module.KIND.name: module for module in found if hasattr(module, "KIND")}


KINDS: Final[dict[str, NoticeKind]] = {name: module.KIND for name, module in modules().items()}


def kind_of(notice: Notice) -> NoticeKind:
    """The kind of a notice. Raises KeyError where no module makes it."""
    return KINDS[notice.kind]


def still_true(services: Services, connection: Connection, notice: Notice) -> Asked | None:
    """The decision a notice asks for, None for none. Raises Superseded where it is not true any more (RATE-04)."""
    return kind_of(notice).still_true(services, connection, notice)
