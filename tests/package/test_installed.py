"""The package installed as its page says, where there is no index and no checkout, and played on by somebody else."""

import html
import re
import signal
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx
import pytest

import dev
from config.release import ROOT, release
from tests.acceptance.processes import Person, answers, until
from tests.package.host import Host, host, interpreters, other_user, runs
from tests.package.spider import follow

pytestmark = pytest.mark.slow

NO_WHEELS = "the packages of requirements.lock are not here as files: `python3 dev.py test` fetches them"
NOBODY_ELSE = "all else was tried, but as root: no Python of this version here can be started by another user"
ADDRESSES = """
/ /rules /rules/tammany-hall /rules/city-hall /learn /learn/tammany-hall /learn/city-hall /games /check /docs
/check/offline.html /offline/de /offline/fr /manifest.webmanifest /sw.js /components /sign-in
/turns /tables /tables/new /me /me/feeds /me/mail /me/access /me/data /me/people /me/games /me/leave /metrics /readyz
/.well-known/wardroom-keys /.well-known/wardroom-log /api/v1/openapi.json /api/v1/rulesets/city-hall /mailbox
""".split()
OF_A_GAME = """
/g/{game} /g/{game}/text /g/{game}/orders /g/{game}/check /g/{game}/bundle /g/{game}/statistics /g/{game}/map.svg
/api/v1/games/{game}/board.svg /g/{game}/preview.png /g/{game}/feed.atom
""".split()


@pytest.mark.skipif(not (dev.WHEELS / "lock.sha256").exists(), reason=NO_WHEELS)
def test_the_installed_package_serves_every_page_and_a_game_to_somebody_who_is_not_root():
    version, other = f"3.{sys.version_info.minor}", other_user()
    pythons = interpreters(version)
    shared = [python for python in pythons if runs(python, **other)]
    with host((shared or pythons)[0], other if shared else {}) as club:
        assert club.run("wardroom", "--version") == f"{release()}\n"
        serves_and_plays(club)
    if not shared:
        pytest.skip(NOBODY_ELSE)


def serves_and_plays(club: Host) -> None:
    """All that one process does: pages, bots, mail; and it ends when it is told to."""
    with club.start("wardroom", "serve") as server:
        until(lambda: answers(club.port) or server.process.poll() is not None, "the service", 120)
        assert f"Data: {club.data}. Ctrl-C ends it." in server.output
        (page,) = re.findall(r"^Let others in: (.*)$", server.output, re.MULTILINE)
        assert Path(page).read_bytes() == (ROOT / "docs" / "hosting.md").read_bytes()
        base = f"http://127.0.0.1:{club.port}"
        with httpx.Client(base_url=base, timeout=60, follow_redirects=True) as http:
            game = plays_a_move(Person("ann", http), club)
            follows_a_link(http, club.run("wardroom", "play", "city-hall", "--email", "ann@people.example"))
            found = follow(http, [*ADDRESSES, *(address.format(game=game) for address in OF_A_GAME)])
        wrong = {address: answer.status_code for address, answer in found.items() if answer.status_code != 200}
        assert not wrong
        assert {"image/png", "image/svg+xml", "text/css", "text/javascript"} <= kinds_of(found)
        speaks_every_language(base)
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        assert "Traceback" not in server.output
    club.run("gunicorn", "--check-config", "-c", "python:config.gunicorn", "service.wsgi:app")
    assert sorted(path.name for path in club.home.iterdir()) == [".local", "compiled"]


def plays_a_move(ann: Person, club: Host) -> str:
    """At a public table, against bots, who answer. Which game it is."""
    token = club.run("wardroom", "token", ann.email, "--name", "Ann").strip()
    ann.headers["Authorization"] = f"Bearer {token}"
    bots = [{"strength": 1}, {"strength": 1}]
    game: str = ann.post("/games", {"ruleset": "tammany-hall", "seats": 3, "bots": bots, "public": True})["id"]
    asked = until(lambda: her_turn(ann, game), "that it is her turn", 120)
    moved = ann.post(f"/games/{game}/moves", {"text": ann.legal_move(game)})
    assert moved["version"] > asked["version"]
    while not until(lambda: her_turn(ann, game), "her next turn", 120)["version"] > moved["version"]:
        ann.post(f"/games/{game}/moves", {"text": ann.legal_move(game)})
    assert ann.get(f"/games/{game}/audit")["ok"]
    return game


def her_turn(ann: Person, game: str) -> dict[str, Any] | None:
    seen: dict[str, Any] = ann.get(f"/games/{game}")
    return seen if 0 in seen["awaiting"] else None


def follows_a_link(http: httpx.Client, said: str) -> None:
    """The link that `wardroom play` prints, and the button that it leads to: a session of a browser."""
    (link,) = re.findall(r"http://\S+", said)
    page = http.get(link)
    assert page.status_code == 200
    form = re.search(r'<form[^>]*method="?post.*?</form>', page.text, re.DOTALL)
    assert form
    action = re.search(r'action="?([^" >]*)', form[0])
    given = dict(re.findall(r'<input[^>]*name="?([^" >]+)"?[^>]*value="?([^" >]*)', form[0]))
    target = urljoin(str(page.url), html.unescape(action[1]) if action else "")
    table = http.post(target, data=given, headers={"Origin": str(http.base_url)})
    assert (table.status_code, table.url.path.startswith("/g/")) == (200, True)


def kinds_of(found: dict[str, httpx.Response]) -> set[str]:
    return {answer.headers["Content-Type"].partition(";")[0] for answer in found.values()}


def speaks_every_language(base: str) -> None:
    for language in ("fr", "de"):
        page = httpx.get(f"{base}/learn", headers={"Accept-Language": language, "Accept": "text/html"}, timeout=60)
        assert f'lang="{language}"' in page.text[:200] or f"lang={language}" in page.text[:200]
