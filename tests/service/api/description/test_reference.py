"""The pages for authors of programs: the reference loads nothing from elsewhere, and the first bot plays a game."""

import subprocess
import sys
import threading
from html import unescape
from pathlib import Path

from werkzeug.serving import make_server

from service.web.http.assets import FOLDER


def test_the_reference_has_no_script_but_ours_and_a_policy_that_holds_it_to_that(sqlite_api):
    page = sqlite_api.get("//docs/reference").ok()
    policy = dict(part.strip().split(" ", 1) for part in page.headers["Content-Security-Policy"].split(";"))
    assert policy["script-src"] == policy["connect-src"] == "'self'"
    assert policy["default-src"] == "'none'"
    assert page.text.count("<script") == page.text.count(" defer></script>") == 1, "nothing stands in it"
    assert 'data-url="/api/v1/openapi.json"' in page.text
    assert "MIT License" in (FOLDER / "scalar" / "LICENSE").read_text()


def test_the_first_bot_of_the_page_plays_a_game(sqlite_api, tmp_path: Path):
    page = sqlite_api.get("//docs").ok().text
    source = unescape(next(part for part in page.split('<pre tabindex="0">') if part.startswith("import"))).split(
        "</pre>"
    )[0]
    (tmp_path / "bot.py").write_text(source)
    server = make_server("127.0.0.1", 0, sqlite_api.app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        given = {"BASE": f"http://127.0.0.1:{server.server_port}", "TOKEN": sqlite_api.player("ann").token}
        done = subprocess.run(
            [sys.executable, "bot.py"], cwd=tmp_path, env=given, capture_output=True, text=True, timeout=100
        )
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert done.returncode == 0, done.stderr
    assert "'mayor': " in done.stdout
