"""The page of the Python client: every program on it runs as it stands there, against the real application."""

import re
import shlex
import sys
import time
import types
from pathlib import Path

import flask
import pytest
import wardroom_client
from wardroom_client import Bot, arena
from wardroom_client.cli import command_line

from service.notify import subscriptions
from service.notify.subscriptions import Kept
from tests.clients.in_process import client_of
from tests.service.api.table import Api, ApiTable

PAGE = (Path(__file__).parents[2] / "clients" / "python" / "README.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SECRET = b"s" * 32


@pytest.fixture
def table(sqlite_api: Api) -> ApiTable:
    return sqlite_api.begin(*sqlite_api.players("ann bob cyd"))


def test_the_bot_of_the_page_has_15_lines_and_plays(sqlite_api, table):
    """Three actions of a turn are enough: it stands at a real table."""
    (program,) = (program for program in PROGRAMS if "bot.run()" in program)
    assert len([line for line in program.splitlines() if line.strip()]) <= 15
    names: dict[str, object] = {"__name__": "my"}
    exec(program, names)
    bot = names["bot"]
    assert isinstance(bot, Bot)
    with client_of(sqlite_api, table.awaited) as client:
        (turn,) = client.turns()
        bot.answer(client, turn)
        assert client.turns() == []


def test_the_programs_of_the_page_play_and_follow(sqlite_api, table, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    player = table.awaited
    monkeypatch.setattr(wardroom_client, "Wardroom", lambda base, token: client_of(sqlite_api, player))
    names: dict[str, object] = {"BASE": "http://wardroom.test", "TOKEN": player.token, "GAME": table.id}
    playing, following = (program for program in PROGRAMS if "client" in program and "@" not in program)
    exec(playing, names)
    out = capsys.readouterr().out
    assert out.startswith("turn [")
    assert "tammany-hall.bosses-placed" in out
    while table.awaited is not player:
        table.move(table.awaited, "place 1 1", "end")
        if table.position()["state"]["phase"] != "turn":
            break
    player = table.awaited
    names["client"] = client_of(sqlite_api, player)
    exec(following, names)
    assert table.id in capsys.readouterr().out


def test_the_receiver_of_the_page_takes_what_the_server_signs():
    (program,) = (program for program in PROGRAMS if "@app.post" in program)
    names: dict[str, object] = {"SECRET": subscriptions.secret_text(SECRET)}
    exec(program, names)
    app = names["app"]
    assert isinstance(app, flask.Flask)
    at, body = int(time.time()), b'{"type":"turn","timestamp":"","data":{"game":"g"}}'
    kept = Kept(url="https://bot.example", secret=SECRET, old=None)
    signature = subscriptions.signature(None, kept, "msg_1", at, body)
    headers = {"webhook-id": "msg_1", "webhook-timestamp": f"{at}", "webhook-signature": signature}
    assert app.test_client().post("/turns", data=body, headers=headers).status_code == 204
    assert app.test_client().post("/turns", data=body + b" ", headers=headers).status_code == 401


def test_every_command_of_the_page_is_one():
    shown = re.findall(r"^    (wr .+)$", PAGE, re.MULTILINE) + re.findall(
        r"`(wr [^`]+)`", PAGE.partition("| `wr` |")[2].rpartition("|")[0]
    )
    assert len(shown) > 8
    for line in shown:
        filled = line.replace("GAME", "k7x2m9qd4t").replace("BASE", "https://a.example").replace("FILE", "turns.json")
        command_line(shlex.split(filled)[1:])


def test_every_call_of_the_page_is_one():
    """Of the client, of a game and of a draft: what the page names is there."""
    kinds = (wardroom_client.Wardroom, wardroom_client.Game, wardroom_client.Draft)
    table = PAGE.partition("| call |")[2].partition("`AsyncWardroom`")[0]
    named = set(re.findall(r"\.([a-z]+)", " ".join(re.findall(r"`([^`]+)`", table))))
    assert len(named) > 15
    assert not {name for name in named if not any(hasattr(kind, name) for kind in kinds)}


def test_a_bot_is_found_by_its_name(tmp_path, monkeypatch):
    module = types.ModuleType("page_bot")
    module.bot = Bot()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "page_bot", module)
    assert arena.load_bot("page_bot:bot") is module.bot
    with pytest.raises(ValueError, match="no Bot"):
        arena.load_bot("json:dumps")
