"""The command `wardroom doctor --mail` as a host types it."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from config.settings import load
from service.cli import main
from service.container import assemble
from tests.mail_relay import MailRelay, judged
from tests.workers.letterbox import Letterbox, letterbox, told
from tests.workers.mail_in.test_self_test import FROM, IN, MX, PASSED, SIGNED, quick

__all__ = ["letterbox", "quick", "told"]
Run = Callable[..., Result]


@pytest.fixture
def given(tmp_path: Path) -> dict[str, str]:
    return {
        "DATA_DIR": str(tmp_path / "data"), "SECRET_KEY": "c" * 40, "MAIL_DOMAIN": IN, "MAIL_FROM": f"game@{FROM}",
        "AUTHSERV_ID": MX, "MAIL_IN": "off", "LOG_LEVEL": "warning",
    }  # fmt: skip


@pytest.fixture
def doctor(given: dict[str, str]) -> Run:
    """Run it with these words and settings."""
    unset: dict[str, str | None] = dict.fromkeys(name for name in os.environ if name.startswith("WARDROOM_"))

    def run(*words: str, **settings: str) -> Result:
        environ = unset | {f"WARDROOM_{name}": value for name, value in {**given, **settings}.items()}
        return CliRunner().invoke(main, ["doctor", "--mail", *words], env=environ)

    return run


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["doctor", "--mx", "192.0.2.1"], "--mx goes with --mail."),
        (["doctor", "--wait", "3"], "--wait goes with --mail."),
        (["doctor", "--mail", "--audit"], "run one after the other"),
        (["doctor", "--mail", "--dry-run"], "go with --audit"),
        (["doctor", "--mail", "--mx", "[x"], "give HOST or HOST:PORT"),
        (["doctor", "--mail", "--mx", "mx.example:0"], "a port is a number from 1 to 65535."),
        (["doctor", "--mail", "--mx", "[::1]:65536"], "a port is a number from 1 to 65535."),
    ],
)
def test_words_that_make_no_sense_are_said(words: list[str], sentence: str) -> None:
    done = CliRunner().invoke(main, words)
    assert done.exit_code not in (0, 1)
    assert sentence in done.stderr


def test_without_a_domain_for_mail_that_comes_first(doctor: Run) -> None:
    done = doctor(MAIL_DOMAIN="localhost")
    assert done.exit_code == 1
    assert done.stdout.startswith("broken  settings: WARDROOM_MAIL_DOMAIN is localhost")


def test_in_the_embedded_mode_without_a_mail_server_nothing_is_sent(doctor: Run) -> None:
    done = doctor()
    assert done.exit_code == 0
    assert "note    mail out: Unchecked: all mail stays in the development mailbox" in done.stdout


@pytest.mark.slow
def test_the_probe_goes_out_and_comes_back_and_is_told_while_it_is_on_its_way(
    doctor: Run, given: dict[str, str], letterbox: Callable[..., Letterbox]
) -> None:
    environ = {f"WARDROOM_{name}": value for name, value in given.items()}
    assert CliRunner().invoke(main, ["migrate"], env=environ).exit_code == 0
    services = assemble(load(environ), durable=False)
    box = letterbox(services, lmtp=True)
    with MailRelay(box.port) as relay:
        relay.change = judged(PASSED, signed=SIGNED)
        settings = {"SMTP_URL": relay.url, "MAIL_IN": f"lmtp://127.0.0.1:{box.port}"}
        done = doctor(**settings)
        assert done.exit_code == 0, done.output
        assert {line.split()[0] for line in done.stdout.splitlines()} == {"well"}
        assert "A probe goes to 127.0.0.1:" in done.stderr
        document: dict[str, Any] = json.loads(doctor("--json", **settings).stdout)
        assert {finding["mark"] for finding in document["findings"]} == {"well"}
        assert 0 <= document["seconds"] < 60
        relay.change = judged(PASSED, removes=False, signed=SIGNED)
        spoofed = doctor(**settings)
        assert spoofed.exit_code == 1
        assert "broken  forged verdicts: One that we wrote ourselves" in spoofed.stdout
    services.database.close()
