"""A later release of this code: it has one more migration, and writes an event that no earlier one can read."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from service.store import releases
from service.store.releases import Release
from service.store.structure import migrate, schema

VERSION: Final = "8.0.0"
BASELINE: Final = "0001"
TOYS: Final = "0002"
EVENTS: Final = (("pennies.penny-hidden", '%"schema":2,%'),)
MIGRATION: Final = Path(__file__).with_name("toy_migration.py")


@pytest.fixture
def become_later(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], None]:
    """Make this code the later release when it is called: after the databases of the test were made."""

    def become() -> None:
        folder = tmp_path_factory.mktemp("later") / "migrations"
        shutil.copytree(migrate.FOLDER, folder)
        shutil.copy(MIGRATION, folder / "versions" / f"{TOYS}_toys.py")
        monkeypatch.setattr(migrate, "FOLDER", folder)
        known = schema.chain(folder / "versions")
        monkeypatch.setattr(schema, "KNOWN", known)
        monkeypatch.setattr(schema, "NEWEST", known[-1])
        present = replace(releases.CURRENT, revision=BASELINE)
        monkeypatch.setattr(releases, "RELEASES", (present, Release(VERSION, None, EVENTS)))
        monkeypatch.setattr(releases, "CURRENT", releases.RELEASES[-1])

    return become
