"""Twin worlds: services whose ids, salts and clocks run alike, and all that one person can hear from one of them."""

import contextlib
import hashlib
import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest
import sqlalchemy as sa
from freezegun import freeze_time

from config.settings import Settings
from service.kernel.entropy import Entropy
from service.kernel.request_ids import Work
from service.store.clocks.decisions import decisions
from service.store.outgoing.outbox import outbox
from tests import witnesses
from tests.service.api.table import Answer, Api, ApiTable, Player, served

T = TypeVar("T")
Line = tuple[str, int, tuple[tuple[str, str], ...], str]
"""What was asked, and the status, headers and body that came back."""

TEXTS = [
    "end", "bid none", "bid irish 1", "bid english 99", "bid irish 1\nbid none", "bid none\nend",
    "bid none\nplace 1 1", "bid ward 4 none", "bid ward 1 none", "bid blue 1", "place 1 1", "place 1 1\nend",
    "place 1 2\nend\nplace 1 1", "place 12 1", "settle boss 1 cube irish 1", "settle boss 1 cube irish 1\nend",
    "slander red 1 irish", "slander yellow 1 irish then 2", "slander black 1 german", "slander ann 1 irish",
    "office lock 1", "office favor irish", "office police 1 irish", "office move irish 1 2", "bonus cube irish 1",
    "bonus favor irish", "bonus pass", "assign deputy ann police bob", "assign deputy red", "end\nend", "bid", "",
    "resign", "bid irish", "place 1", "end now", "bid ward 1 irish 1 irish 1",
]  # fmt: skip
ACTIONS: list[dict[str, Any]] = [
    {"type": "end"}, {"type": "bid"}, {"type": "bid", "chips": {"irish": 1}}, {"type": "bid", "chips": {"irish": 99}},
    {"type": "bid", "chips": {}, "ward": 1}, {"type": "bid", "chips": {}, "ward": 4},
    {"type": "place", "wards": [1, 1]}, {"type": "slander", "target": 0, "ward": 1, "favor": "irish"},
    {"type": "slander", "target": 4, "ward": 1, "favor": "irish"}, {"type": "bonus-pass"},
    {"type": "office-lock", "ward": 1}, {"type": "assign", "offices": {"deputy": 1}}, {"type": "reveal"},
    {"type": "fill-garden", "draw": {"label": "garden", "index": 3}, "result": {}},
]  # fmt: skip
BIDS: list[dict[str, Any]] = [
    {"chips": {}}, {"chips": {"irish": 1}}, {"chips": {"german": 1}}, {"chips": {"irish": 99}},
    {"chips": {}, "ward": 1}, {"chips": {}, "ward": 4}, {"chips": {"english": 1, "italian": 1}}, {},
]  # fmt: skip


AHEAD = [
    "ward 1 bid irish 1", "others up to 2 irish english", "others bid none\nbonus others pass", "ward 4 bid german 1",
    "pass slander\nend when placed", "keep 1 irish for ward 14\nothers up to 3 irish", "bid irish 1", "term 4",
    "assign deputy red council yellow police black", "ward 1 bid irish 1\nward 1 bid none", "ward 12 bid none",
]  # fmt: skip


OF_THE_MACHINE = re.compile(r"^wardroom_(?:disk_free_bytes|scrape_seconds) .*$", re.MULTILINE)
"""Metrics that other programs change as well."""
FORM_COOKIE = re.compile(
    r"(?<=wardroom-form=)[0-9A-Za-z_-]+|(?<=name=\"csrf\" value=\")[^\"]*|(?<=name=\"key\" value=\")[^\"]*"
)
"""The secret of a visitor's forms, made for each who has none."""


def nameless(*_: object) -> Work:
    """Work whose commits each make a cause: a request that commits nothing takes nothing from what is counted."""
    return Work("twin", None)


class Counted(Entropy):
    """Entropy of one world: the n-th value it makes is the same in its twin."""

    def __init__(self) -> None:
        self.made = 0

    def token_bytes(self, count: int) -> bytes:
        self.made += 1
        return hashlib.sha256(f"twin {self.made}".encode()).digest()[:count]

    seed = salt = token_bytes


@dataclass
class Worlds:
    """Makes worlds that are twins of one another."""

    template: Path
    folder: Path
    settings_with: Callable[..., Settings]
    patch: pytest.MonkeyPatch
    whole: bool = False
    """Whether to ask for everything there is, or each path once: the first takes minutes."""
    made: int = 0

    @contextlib.contextmanager
    def one(self) -> Iterator[Api]:
        """A new world at the same instant as every other."""
        self.made += 1
        file = self.folder / f"world-{self.made}.sqlite"
        shutil.copy(self.template, file)
        settings = self.settings_with(DATABASE_URL=f"sqlite:///{file}")
        with self.patch.context() as patch, served(settings, Counted()) as api:
            patch.setattr("service.kernel.request_ids.start", nameless)
            with freeze_time("2031-03-04 05:06:07"):
                yield api


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.long)], ids=["sample", "whole"])
def worlds(
    request: pytest.FixtureRequest,
    sqlite_template: Path,
    tmp_path: Path,
    settings_with: Callable[..., Settings],
    monkeypatch: pytest.MonkeyPatch,
) -> Worlds:
    return Worlds(sqlite_template, tmp_path, settings_with, monkeypatch, request.param)


def noticed(table: ApiTable, who: Player) -> list[Line]:
    """The answers in which somebody who knows the secret finds it: that they do shows that worlds are no copies."""
    ear = _Ear(table, who)
    for path in ("", "/events", "/orders", "/messages"):
        ear.ask("GET", f"{table.path}{path}")
    return renamed(ear.lines)


def heard(table: ApiTable, who: Player, whole: bool = False) -> list[Line]:
    """Return the answers of the API to somebody at this moment (S-03): reading, trying, and what is forbidden.

    Each path is asked once; if `whole`, at every version and with every order. Nothing of it changes anything.
    """
    before = table.api.kept()
    ear = _Ear(table, who, whole)
    ear.reads()
    ear.tries()
    ear.forbidden()
    assert table.api.kept() == before
    return renamed(ear.lines)


def _headers(answer: Answer) -> tuple[tuple[str, str], ...]:
    """The headers of an answer but for the id of its request, and for the length of what the machine changes."""
    left = {"X-Request-Id", "Content-Length"} if OF_THE_MACHINE.search(answer.text) else {"X-Request-Id"}
    told = [(name, FORM_COOKIE.sub("", value)) for name, value in answer.headers.items() if name not in left]
    return tuple(sorted(told))


class _Ear:
    def __init__(self, table: ApiTable, who: Player, whole: bool = False) -> None:
        self.table, self.who, self.whole = table, who, whole
        self.lines: list[Line] = []
        self.version = table.version

    def ask(self, method: str, path: str, **more: Any) -> Any:
        answer = self.table.api.send(method, path, self.who, **more)
        name = f"{method} {path} {json.dumps(more)}"
        self.lines.append(
            (name, answer.status, _headers(answer), FORM_COOKIE.sub("", OF_THE_MACHINE.sub("", answer.text)))
        )
        return answer.json

    def unpacks(self, path: str) -> None:
        """The files of a bundle and its size; its checksums are of hashes, which differ."""
        answer = self.table.api.get(path, self.who).ok()
        with zipfile.ZipFile(io.BytesIO(answer.data)) as packed:
            files = [(name, packed.read(name).decode()) for name in packed.namelist()]
        self.lines.append((f"GET {path}", len(answer.data), _headers(answer), str(files)))

    def some(self, things: Sequence[T]) -> Sequence[T]:
        """Return all of these, or the first alone."""
        return things if self.whole else things[:1]

    def newest(self) -> range:
        """The last versions, in which a secret was made, and one that is still to come."""
        return (
            range(max(1, self.version - 5), self.version + 2) if self.whole else range(self.version - 1, self.version)
        )

    def reads(self) -> None:
        game = self.table.path
        for path in (
            "/games", "/me", "/me/turns",
            "/me/tokens", "/me/events", "/rulesets", "/rulesets/tammany-hall", "//healthz", "//readyz", "//metrics",
            "//", game, f"{game}/actions", f"{game}/audit", f"{game}/board", f"{game}/board.svg",
            f"{game}/events", f"{game}/messages", f"{game}/notices",
            f"{game}/clock", "/me/leave", f"{game}/checkpoint", "//.well-known/wardroom-keys",
            f"{game}/orders", f"{game}/rewind", f"{game}/story", f"{game}/statistics", f"{game}/analysis",
            f"{game}/diff?from=1",
        ):  # fmt: skip
            self.ask("GET", path)
        for path in self.some((
            f"{game}/actions?as=choices",
            "/games?mine=1", "/games?awaiting=me", "/games?status=running&limit=1", f"{game}/messages?limit=1",
            f"{game}/notices?limit=1", f"{game}/events?limit=1",
            f"{game}/rewind?reason=lapse", f"{game}/rewind?to=1",
        )):  # fmt: skip
            self.ask("GET", path)
        self.ask("HEAD", game)
        self.ask("OPTIONS", f"{game}/bids")
        self.ask("GET", f"{game}/events", headers={"Accept": "application/x-ndjson"})
        self.unpacks(f"{game}/bundle")
        for version in sorted({*range(1, self.version, 8 if self.whole else self.version), *self.newest()}):
            self.ask("GET", f"{game}?version={version}")
        for version in self.some(range(1, self.version + 2, 12)):
            self.ask("GET", f"{game}/events?after={version}")
            self.ask("GET", f"{game}/checkpoint?version={version}")
        for version in self.newest():
            self.ask("GET", f"{game}/rewind?to={version}")
            self.ask("GET", f"{game}/board?version={version}")
            self.ask("GET", f"{game}/board.svg?version={version}")
        for version in self.some(range(max(1, self.version - 10), self.version, 4)):
            self.ask("GET", f"{game}/diff?from={version}")
        self.ask("GET", f"{game}/story", headers={"Accept": "text/plain"})
        self.ask("GET", f"{game}/diff?from=1&to={self.version - 1}")
        self.ask("GET", f"{game}/events?limit={self.version - 1}")
        self.ask("GET", game, headers={"If-None-Match": f'"{self.version}"'})

    def tries(self) -> None:
        game = self.table.path
        legal = self.ask("GET", f"{game}/actions").get("actions", [])
        for one in self.some(legal):
            self.ask("POST", f"{game}/moves?dry_run=1", json={"actions": [one["action"]]})
        for one in self.some(legal[:: max(1, len(legal) // 20)]):
            self.ask("POST", f"{game}/moves?dry_run=1", json={"text": one["text"] + "\nend"})
            self.ask("POST", f"{game}/moves?dry_run=1", json={"text": f"{one['text']}\n{one['text']}"})
        for text in TEXTS if self.whole else TEXTS[1:4]:
            self.ask("POST", f"{game}/moves?dry_run=1", json={"text": text})
        for action in self.some(ACTIONS):
            self.ask("POST", f"{game}/moves?dry_run=1", json={"actions": [action]})
        for bid in BIDS if self.whole else BIDS[1:4:2]:
            self.ask("POST", f"{game}/bids?dry_run=1", json=bid)
        further = [f"{one['text']}\nend\nbid none" for one in legal[:: max(1, len(legal) // 9)]]
        for text in ("", *(TEXTS if self.whole else TEXTS[1:3]), *self.some(further)):
            self.ask("POST", f"{game}/drafts", json={"text": text})
        self.ask("POST", f"{game}/drafts", json={"actions": ACTIONS})
        for text in self.some(AHEAD):
            self.ask("PUT", f"{game}/orders?dry_run=1", json={"text": text})
        self.ask("PUT", f"{game}/orders?dry_run=1", json={"orders": {"bids": [{"type": "exactly", "ward": 1}]}})

    def forbidden(self) -> None:
        game = self.table.path
        just = {"If-Match": f'"{self.version - 1}"'}  # stale or not, by what the last event was
        self.ask("POST", f"{game}/bids?dry_run=1", json={"chips": {}}, headers=just)
        self.ask("POST", f"{game}/drafts", json={"text": "bid none"}, headers=just)
        for seen in self.some((1, self.version // 2, self.version + 1)):
            stale = {"If-Match": f'"{seen}"'}
            self.ask("POST", f"{game}/moves", json={"text": "bid none"}, headers=stale)
            self.ask("POST", f"{game}/bids?dry_run=1", json={"chips": {}}, headers=stale)
            self.ask("POST", f"{game}/drafts", json={"text": "bid none"}, headers=stale)
            self.ask("PUT", f"{game}/orders", json={"text": "others bid none"}, headers=stale)
            self.ask("DELETE", f"{game}/orders", headers=stale)
            self.ask("POST", f"{game}/rewind", json={"ask": False}, headers=stale)
            self.ask("POST", f"{game}/rewind/vote", json={"agree": True}, headers=stale)
            self.ask("POST", f"{game}/clock", json={"propose": "pause", "for": "P1D"}, headers=stale)
        for text in self.some((
            "bid english 99", "bid none\nend", "bid ward 4 none", "bonus pass", "resign", "end\nend",
            "bid irish 1\nend",
        )):  # fmt: skip
            self.ask("POST", f"{game}/moves", json={"text": text})
        self.ask("POST", f"{game}/bids", json={"chips": {"irish": 99}})
        for text in self.some(("ward 1 bid irish 99", "bid irish 1", "ward 12 bid none", "term 1")):
            self.ask("PUT", f"{game}/orders", json={"text": text})
        self.ask("POST", f"{game}/seats", json={})
        self.ask("DELETE", f"{game}/seats/me")
        self.ask("POST", f"{game}/resignation", json={"confirm": False})
        self.ask("POST", f"{game}/start")
        self.ask("POST", f"{game}/rewind", json={"to": 1})
        self.ask("POST", f"{game}/clock", json={"propose": "pause", "for": "P1000D"})


def renamed(lines: list[Line]) -> list[Line]:
    """Hashes, commitments, signatures and receipts replaced by numbers, the same for the same everywhere."""
    numbers: dict[str, str] = {}

    def bare(text: str) -> str:
        return witnesses.renamed(text, numbers)

    return [
        (name, status, tuple((key, bare(value)) for key, value in headers), bare(body))
        for name, status, headers, body in lines
    ]


def differences(one: list[Line], other: list[Line]) -> list[str]:
    """What was answered differently, in short; [] for twins."""
    assert [line[0] for line in one] == [line[0] for line in other]
    pairs = zip(one, other, strict=True)
    return [f"{a[0]}: {_first(str(a), str(b))}" for a, b in pairs if a != b]


def _first(one: str, other: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"…{one[max(0, at - 60) : at + 60]}… against …{other[max(0, at - 60) : at + 60]}…"


def notices(api: Api) -> list[tuple[Any, ...]]:
    """Mail that is on its way, and what waits for whom until when: all that mails and reminders are made of."""
    with api.services.database.read() as connection:
        queued = [name for name in outbox.c.keys() if name not in ("secret",)]  # noqa: SIM118 - a collection of columns
        rows = connection.execute(sa.select(*(outbox.c[name] for name in queued)).order_by(outbox.c.id)).all()
        owed = connection.execute(sa.select(decisions).order_by(*decisions.primary_key.columns)).all()
    return [tuple(row) for row in [*rows, *owed]]
