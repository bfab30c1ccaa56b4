"""The Python client against the real application: what it asks is there, what it is told is what it says."""

import importlib.util
import json
import logging
import random
import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import httpx
import pytest
from wardroom_client import (
    Bot,
    Conflict,
    NotFound,
    Problem,
    Question,
    Refused,
    SignedOut,
    Stale,
    Unreadable,
    webhooks,
)
from wardroom_client._sync.news import StreamedNews
from wardroom_client._sync.session import Session
from wardroom_client.cli import main
from wardroom_client.cursors import Cursor
from wardroom_client.login import NotSignedIn, config_file, save, saved
from wardroom_client.models import Turn

from service.kernel.clock import SECOND
from service.notify import subscriptions
from service.notify.subscriptions import Kept
from tests.clients.in_process import AT_ONCE, async_client_of, client_of
from tests.loops import run

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients" / "python"


def module(path: Path) -> ModuleType:
    """A program of the repository that is no package."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


# What is made from something else


def test_the_client_without_async_is_made_from_the_one_with_it():
    for place, text in module(CLIENT / "unasync.py").generated().items():
        assert place.read_text() == text, "run: python clients/python/unasync.py"


def test_the_types_are_those_of_the_description(sqlite_api):
    description = json.loads(sqlite_api.get("/openapi.json").data)
    made = module(CLIENT / "typed_models.py").models_of(description)
    assert made == (CLIENT / "wardroom_client" / "models.py").read_text(), "run: clients/python/typed_models.py"


# A game


def test_a_game_is_looked_at_tried_and_played(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    with client_of(sqlite_api, table.awaited) as client:
        game = client.game(table.id)
        before = game.position()
        assert game.state["phase"] == "turn"
        assert "place 14 14" in [action["text"] for action in game.legal()]
        draft = game.draft("place 14 14", seen=before["version"]).then("end")
        assert draft.preview()["refusal"] is None
        moved = draft.play()
        assert draft.play() == moved, "one draft is one act"
        assert game.at(before["version"])["state"] == before["state"]
        assert game.diff(before["version"], moved["version"])["patch"]
        assert [event["version"] for event in game.history()] == list(range(1, moved["version"] + 1))
        assert "14" in game.board()
        assert [found["id"] for found in client.games(mine=1, limit=1)] == [table.id]
        assert client.me()["name"] == table.seated[before["awaiting"][0]].name


def test_actions_are_played_as_they_are_listed(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    with client_of(sqlite_api, table.awaited) as client:
        game = client.game(table.id)
        assert game.draft(game.legal()[0]["action"]).play()["events"]
        with pytest.raises(ValueError, match="not some of both"):
            game.draft("end", {"type": "end"}).body()


def test_problems_are_exceptions_with_code_rule_and_line(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    with client_of(sqlite_api, table.awaited) as client:
        game = client.game(table.id)
        seen = game.position()["version"]
        with pytest.raises(Refused) as refused:
            game.draft("place 14 14", "place 14 14").play()
        assert (refused.value.code, (refused.value.rule or "")[:3]) == ("already-placed", "TH-")
        with pytest.raises(Unreadable) as unreadable:
            game.draft("dance").play()
        assert unreadable.value.line == "dance"
        game.draft("place 14 14", "end").play()
        with pytest.raises(Stale) as stale:
            game.draft("end", seen=seen).play()
        assert stale.value.events[0]["version"] == seen + 1
        with pytest.raises(Conflict, match="turn"):
            game.draft("end").play()
        with pytest.raises(NotFound):
            client.game("aaaaaaaaaa").position()
    with client_of(sqlite_api, None) as stranger, pytest.raises(SignedOut):
        stranger.turns()


def first_line(question: Question) -> str:
    """The bot of these tests: it ends its turn where it can, and takes what is listed first."""
    assert question.state["phase"]
    legal = question.legal()
    return "end" if "end" in legal else random.Random(len(legal)).choice(legal)


@pytest.mark.slow
def test_a_game_by_four_clients_to_its_end(sqlite_api):
    """City Hall for four: `follow` tells of every decision, a bot answers it, once. It plays as the caretaker would,
    which is found quicker than a list of what is legal."""
    api = sqlite_api
    clients = [client_of(api, person) for person in api.players("ann bob cyd dan")]
    game = clients[0].open("city-hall", 4)
    for client in clients[1:]:
        client.game(game.id).sit()
    bot = Bot()

    @bot.turn("city-hall")
    def think(question: Question) -> str:
        with api.services.database.read() as connection:
            head = api.services.streams.head(connection, game.id)
        return str(head.rules.notation.write(head.rules.decider.caretaker(head.table.game, question.seat)))

    followed = [client.follow(news=Again()) for client in clients]
    told: list[str] = []
    while (position := game.position())["status"] == "running":
        seat = position["awaiting"][0]
        turn = next(followed[seat])
        told.append(turn["decision"])
        bot.answer(clients[seat], turn)
    assert position["status"] == "finished"
    assert len(told) == len(set(told)) > 20


class Again:
    """News that always say: look again."""

    def wait(self) -> bool:
        return True

    def close(self) -> None:
        pass


def test_the_client_with_async_does_the_same(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))

    async def play() -> None:
        async with async_client_of(sqlite_api, table.awaited) as client:
            async for turn in client.follow():
                game = client.game(turn["game"])
                assert (await game.state)["phase"] == "turn"
                await game.draft("place 14 14").then("end").play()
                break
            assert await client.turns() == []

    run(play())


def test_news_are_the_versions_of_the_games_that_run(sqlite_api):
    """Where the server has no stream, games are polled; a version that is another one is news at once."""
    table = sqlite_api.begin(*sqlite_api.players("ann bob"), ruleset="city-hall")
    bot = Bot()
    bot.turn("city-hall")(first_line)
    told = []
    with client_of(sqlite_api, table.seated[0]) as ann, client_of(sqlite_api, table.seated[1]) as bob:
        turns = {0: ann.follow(), 1: bob.follow()}
        for _ in range(6):
            seat = table.position()["awaiting"][0]
            turn = next(turns[seat])
            told.append((seat, turn["decision"]))
            bot.answer((ann, bob)[seat], turn)
    assert len(set(told)) == 6


def test_a_turn_that_was_taken_back_is_told_again(sqlite_api):
    """It has its old name, and is owed since another event."""
    table = sqlite_api.begin(*sqlite_api.players("ann bob"), ruleset="city-hall")
    player, before = table.awaited, table.version
    with client_of(sqlite_api, player) as client:
        followed = client.follow(news=Again())
        turn = next(followed)
        client.game(table.id).draft(table.legal(player)[0]).play()
        table.post(player, "rewind", {"to": before}).ok(202)
        (other,) = (each for each in table.seated if each is not player)
        table.post(other, "rewind/vote", {"agree": True}).ok()
        again = next(followed)
        assert (again["game"], again["decision"]) == (turn["game"], turn["decision"])
        assert again["since"] > turn["since"]


def test_a_stream_is_news_and_its_end_is_not_the_end():
    """A turn is news, moves and talk of others are none; two heartbeats, an end or a fault are a reason to look again;
    404 means: poll."""
    bodies = iter(["\n\n", '{"type":"move"}\n\n{"type":"talk"}\n{"type":"turn"}\n', None])

    def answer(request: httpx.Request) -> httpx.Response:
        body = next(bodies)
        kind = {"Content-Type": "application/x-ndjson"}
        return httpx.Response(404) if body is None else httpx.Response(200, headers=kind, text=body)

    session = Session("http://far.test", "wr_1", httpx.MockTransport(answer), AT_ONCE)
    news = StreamedNews(session)
    assert [news.wait() for _ in range(5)] == [True, True, True, True, False]


# The rules, here


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    """wardroom-rules, as its wheel has it."""
    folder = tmp_path_factory.mktemp("rules")
    project = ROOT / "clients" / "rules"
    module(project / "hatch_build.py").write_renamed(ROOT / "domain", project, folder / "wardroom_rules")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "wardroom_rules"]:
        del sys.modules[name]


def test_a_position_of_the_rules_is_what_the_seat_sees(sqlite_api, rules):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    bidder = table.to_bids()[0]
    table.bid(bidder)
    with client_of(sqlite_api, bidder) as client:
        game = client.game(table.id)
        position = game.local()
        assert position.seat == table.seated.index(bidder)
        mine, shown = position.view(position.seat), game.state
        assert {name for name in mine if mine[name] != shown[name]} <= {"seats"}, "where the names of people are"
        assert position.awaiting == set(game.position()["awaiting"])
        assert position.sample_hidden(random.Random(1)).awaiting


def test_bots_meet_in_an_arena(rules, tmp_path, monkeypatch, capsys):
    lines = ["from wardroom_client import Bot", "from random import Random", "bot = Bot()", "@bot.turn('city-hall')",
             "def think(question):", "    seen = question.local()",
             "    return seen.write(seen.sample_action(Random(1)))"]  # fmt: skip
    (tmp_path / "chance_bot.py").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(str(tmp_path))
    words = ["arena", "chance_bot:bot", "chance_bot", "--ruleset", "city-hall", "--games", "2", "--json"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert sum(entrant["wins"] for entrant in found["entrants"]) >= 2
    assert main(["arena", "nothing:here"]) == 1
    page = (CLIENT / "README.md").read_text(encoding="utf-8")
    (rival,) = [shown for shown in re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S) if "think(seen" in shown]
    (tmp_path / "rival.py").write_text(rival)
    assert main(["arena", "chance_bot", "rival:bot", *words[3:]]) == 0
    chance, thinker = json.loads(capsys.readouterr().out)["entrants"]
    assert (chance["wins"], thinker["wins"]) == (0, 2)


# Webhooks, tokens, the command


VECTORS = json.loads((ROOT / "clients" / "webhook-vectors.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_message_is_genuine_where_the_vectors_say_so(vector):
    """The server's tests sign the same vectors: tests/workers/webhooks/test_deliver.py."""

    def verify():
        return webhooks.verify(vector["headers"], vector["body"].encode(), vector["secret"], now=vector["now"])

    if vector["genuine"]:
        assert verify() == json.loads(vector["body"])
    else:
        with pytest.raises(webhooks.NotGenuine):
            verify()


def test_a_webhook_is_verified_as_the_server_signs():
    kept = Kept(url="https://bot.example/turns", secret=b"s" * 32, old=b"o" * 32)
    now, body = 1_900_000_000, b'{"type":"turn","timestamp":"","data":{}}'
    signature = subscriptions.signature((now + 9) * SECOND, kept, "msg_1", now, body)
    headers = {"Webhook-Id": "msg_1", "Webhook-Timestamp": f"{now}", "Webhook-Signature": signature}
    for secret in (kept.secret, kept.old):
        message = webhooks.verify(headers, body, subscriptions.secret_text(secret), now=now)
        assert message["type"] == "turn"
    bad = [
        (headers, body + b" ", kept.secret, now),
        (headers, body, b"x" * 32, now),
        (headers, body, kept.secret, now + 301),
        (headers | {"Webhook-Id": "msg_2"}, body, kept.secret, now),
        ({}, body, kept.secret, now),
    ]
    for forged, text, secret, at in bad:
        with pytest.raises(webhooks.NotGenuine):
            webhooks.verify(forged, text, subscriptions.secret_text(secret), now=at)


def test_tokens_come_from_the_environment_or_a_file_of_its_owners(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("WARDROOM_TOKEN", raising=False)
    monkeypatch.delenv("WARDROOM_BASE", raising=False)
    with pytest.raises(NotSignedIn):
        saved()
    save("https://a.example", "wr_1")
    assert saved() == ("https://a.example", "wr_1")
    assert config_file().stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("WARDROOM_TOKEN", "wr_2")
    assert saved() == ("https://a.example", "wr_2")


def test_wr_login_leads_to_the_page_that_makes_a_key_and_keeps_what_is_pasted(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("WARDROOM_TOKEN", raising=False)
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("getpass.getpass", lambda prompt: " wr_4 ")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("wardroom_client.cli.Wardroom.me", lambda client: {"name": "Ann"})
    assert main(["login", "https://a.example/"]) == 0
    assert opened == ["https://a.example/me/access"]
    assert "Signed in as Ann" in capsys.readouterr().out
    assert saved() == ("https://a.example/", "wr_4")


def test_wr_lists_shows_tries_plays_and_watches(sqlite_api, capsys):
    table = sqlite_api.begin(*sqlite_api.players("ann bob"), ruleset="tammany-hall", seats=3, bots=1)
    player = table.awaited

    def wr(*words: str) -> tuple[int, str]:
        code = main(words, lambda: client_of(sqlite_api, player))
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    opened = wr("open", "city-hall", "3", "--bots", "1", "--strength", "2")[1].strip()
    seats = sqlite_api.get(f"/games/{opened}", player).ok().json["seats"]
    assert [(seat["status"], seat["bot"] and seat["bot"]["strength"]) for seat in seats] == [
        ("taken", None), ("empty", None), ("bot", 2)
    ]  # fmt: skip
    assert table.id in wr("turns")[1]
    assert wr("board", table.id)[1].strip()
    assert wr("play", table.id, "place 14 14; place 14 14", "--dry-run")[0] == 1
    code, text = wr("play", table.id, "place 14 14; place 14 14")
    assert code == 1
    assert "TH-" in text
    assert wr("play", table.id, "place 14 14; end", "--dry-run")[0] == 0
    assert wr("play", table.id, "place 14 14; end")[0] == 0
    sqlite_api.post(f"{table.path}/rewind", player)
    assert wr("board", "nonsense")[0] == 1


def test_wr_watches_a_game_to_its_end(sqlite_api, capsys):
    table = sqlite_api.open(sqlite_api.player("ann"))
    sqlite_api.delete(f"{table.path}/seats/me", table.seated[0]).ok()
    assert main(["watch", table.id], lambda: client_of(sqlite_api, table.seated[0])) == 0
    assert "table.game-abandoned" in capsys.readouterr().out


def test_a_cursor_is_whole_and_its_owners(tmp_path):
    place = tmp_path / "cursor.json"
    turn: Turn = {"game": "g", "ruleset": "city-hall", "seat": 0, "decision": "bid-1", "since": 7, "due": None}
    Cursor(place).add(turn)
    assert Cursor(place).has(turn)
    assert not Cursor(place).has({**turn, "since": 9}), "it was taken back, and is owed again"
    assert place.stat().st_mode & 0o777 == 0o600
    place.write_text("{")
    with pytest.raises(ValueError, match="no cursor"):
        Cursor(place)


def test_a_bot_that_plays_what_is_forbidden_gives_up(sqlite_api):
    table = sqlite_api.begin(*sqlite_api.players("ann bob cyd"))
    asked: list[int] = []
    bot = Bot()

    @bot.turn("tammany-hall")
    def think(question: Question) -> str:
        asked.append(question.seat)
        assert question.seconds_left is None or question.seconds_left > 0
        return "place 1 1\nplace 1 1"

    with client_of(sqlite_api, table.awaited) as client:
        (turn,) = client.turns()
        bot.answer(client, turn)
        assert len(asked) == 3
        assert client.turns() == [turn]


def test_wr_lets_a_bot_play_without_a_line_for_each_request(monkeypatch, caplog):
    caplog.set_level(logging.INFO)
    module = ModuleType("silent_bot")
    module.bot = Bot()  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "silent_bot", module)
    monkeypatch.setattr(logging.getLogger("httpx"), "level", logging.NOTSET)
    shown: list[bool] = []
    monkeypatch.setattr(
        module.bot, "run", lambda *_: shown.append(logging.getLogger("httpx").isEnabledFor(logging.INFO))
    )
    assert main(["bot", "run", "silent_bot:bot"], lambda: None) == 0  # type: ignore[arg-type, return-value]
    assert shown == [False]


def test_problems_that_no_json_tells_are_problems_too(sqlite_api):
    with client_of(sqlite_api, sqlite_api.player("ann")) as client, pytest.raises(Problem) as found:
        client.request("GET", "/nothing")
    assert (found.value.status, found.value.code) == (404, "not-found")
