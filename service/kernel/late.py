"""Libraries that are loaded when they are first used, so that what does without them starts sooner (decision 0106).

    if TYPE_CHECKING:
        import webauthn
    else:
        webauthn = late("webauthn")

A process that forks loads them all before, by `load_all`: then its children share them, and no request waits.
"""

from importlib import import_module
from threading import RLock
from types import ModuleType
from typing import Any, Final

NAMES: Final[list[str]] = []
"""Every module that was put off by the modules of ours that are loaded."""
_LOADING: Final = RLock()
"""The lock of all late loading: two threads that load modules of one package run into Python's `_DeadlockError`."""


class _Late(ModuleType):
    """Stands for a module, which the first name that is asked of it loads."""

    def __getattr__(self, name: str) -> Any:
        with _LOADING:
            value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value


def late(name: str) -> ModuleType:
    """The module of this name, loaded when the first thing in it is asked for."""
    NAMES.append(name)
    return _Late(name)


def load_all() -> None:
    """Load whatever was put off."""
    for name in NAMES:
        import_module(name)
