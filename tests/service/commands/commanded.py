"""`wardroom` typed at tables of a test: in this process, on their own service."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from click.testing import CliRunner, Result

from service import cli
from service.commands.terminal import opening
from service.container import Services

MODULES = (
    "service.cli", "service.commands.storage.keys",
    *(f"service.commands.operating.{name}" for name in (
        "deadline", "games", "journal", "players", "queue", "seats", "stats", "talk",
    )),
)  # fmt: skip
Run = Callable[..., Result]


def on(services: Services, monkeypatch: pytest.MonkeyPatch) -> Run:
    """What runs a command on this service, which stays open."""

    @contextmanager
    def opened(**_: Any) -> Iterator[Services]:
        with opening.database_faults():
            yield services

    for module in MODULES:
        monkeypatch.setattr(f"{module}.open_services", opened)
    return lambda *words, **more: CliRunner().invoke(cli.main, [*words], prog_name="wardroom", **more)
