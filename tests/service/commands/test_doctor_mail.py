"""`wardroom doctor --mail`, as a host types it: records to paste, what is wrong with them, and the probe."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from config.settings import load
from service.cli import main
from service.container import assemble
from tests.dns_server import DnsServer
from tests.mail_relay import MailRelay, judged
from tests.ports import free_port
from tests.service.mail.test_records import ADDRESS, DKIM, FROM, GOOD, IN, KEY, MX
from tests.workers.letterbox import Letterbox, letterbox, told
from tests.workers.mail_in.test_self_test import PASSED, SIGNED, quick

__all__ = ["letterbox", "quick", "told"]
Run = Callable[..., Result]


@pytest.fixture
def dns() -> Iterator[DnsServer]:
    with DnsServer(GOOD) as server:
        yield server


@pytest.fixture
def given(tmp_path: Path) -> dict[str, str]:
    return {
        "DATA_DIR": str(tmp_path / "data"), "SECRET_KEY": "c" * 40, "MAIL_DOMAIN": IN, "MAIL_FROM": f"game@{FROM}",
        "AUTHSERV_ID": MX, "MAIL_IN": "off", "LOG_LEVEL": "warning",
    }  # fmt: skip


@pytest.fixture
def doctor(given: dict[str, str], dns: DnsServer) -> Run:
    """Run it with these words and settings."""
    unset: dict[str, str | None] = dict.fromkeys(name for name in os.environ if name.startswith("WARDROOM_"))

    def run(*words: str, **settings: str) -> Result:
        environ = unset | {f"WARDROOM_{name}": value for name, value in {**given, **settings}.items()}
        resolver = [] if "--resolver" in words else ["--resolver", "{}:{}".format(*dns.address)]
        return CliRunner().invoke(main, ["doctor", "--mail", *resolver, *words], env=environ)

    return run


def test_a_host_pastes_the_records_and_sees_that_they_are_there(doctor: Run) -> None:
    done = doctor("--no-probe")
    assert done.exit_code == 0, done.output
    records, findings = done.stdout.split("\n\nAnd where you rent")
    assert f'{IN}. 3600 IN TXT "v=spf1 a:{MX} -all"' in " ".join(records.split())
    assert findings.splitlines()[0].endswith(f"its reverse DNS (PTR) must be {MX}.")
    assert [line.split()[0] for line in findings.splitlines()[2:]] == ["well"] * 5
    assert done.stderr == ""


def test_a_key_in_a_file_is_printed_as_its_record_and_compared(doctor: Run, dns: DnsServer, tmp_path: Path) -> None:
    path = tmp_path / "wardroom.txt"
    path.write_text(f'wardroom._domainkey IN TXT ( "v=DKIM1; k=rsa; "\n "p={KEY[:200]}"\n "{KEY[200:]}" )')
    done = doctor("--no-probe", "--key", str(path), "--json")
    record = next(one for one in json.loads(done.stdout)["records"] if one["name"] == DKIM)
    assert record["value"] == f"v=DKIM1; k=rsa; p={KEY}"
    dns.records[DKIM, "TXT"] = ["v=DKIM1; k=ed25519; p=" + "A" * 43 + "="]
    another = doctor("--no-probe", "--key", str(path))
    assert (another.exit_code, "is not the one in your file" in another.stdout) == (1, True)
    path.write_text("-----BEGIN PRIVATE KEY-----")
    assert "It is a private key" in doctor("--key", str(path)).stderr


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["doctor", "--selector", "x"], "--selector goes with --mail."),
        (["doctor", "--address", "192.0.2.1"], "--address goes with --mail."),
        (["doctor", "--no-probe"], "--no-probe goes with --mail."),
        (["doctor", "--mail", "--audit"], "run one after the other"),
        (["doctor", "--mail", "--dry-run"], "go with --audit"),
        (["doctor", "--mail", "--address", "mail.example"], "mail.example is no IP address."),
        (["doctor", "--mail", "--resolver", "dns.example"], "dns.example is no IP address."),
        (["doctor", "--mail", "--resolver", "[x"], "give HOST or HOST:PORT"),
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
    assert "note    mail out: All mail stays in the development mailbox" in done.stdout


def test_the_records_of_a_provider_are_the_providers(doctor: Run, dns: DnsServer) -> None:
    mailbox = {"SMTP_URL": "smtps://u:p@smtp.provider.example", "IMAP_URL": "imaps://u:p@imap.provider.example"}
    dns.records[IN, "MX"] = ["10 mx.provider.example."]
    dns.records["mx.provider.example", "A"] = ["8.8.8.8"]
    own_domain = doctor("--no-probe", AUTHSERV_ID="", **mailbox).stdout
    assert "WHAT-YOUR-PROVIDER-TELLS-YOU" in own_domain
    assert "well    MX: in.games.example leads to mx.provider.example" in own_domain
    assert "PTR" not in own_domain
    shared = doctor("--no-probe", MAIL_PREFIX="games+", MAIL_DOMAIN="provider.example", **mailbox)
    assert shared.stdout.startswith("note    DNS: provider.example is your provider's")
    assert shared.exit_code == 0


@pytest.mark.slow
def test_without_a_resolver_the_records_are_shown_all_the_same(doctor: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.mail.records.resolver.LIFETIME", 0.2)
    done = doctor("--resolver", f"127.0.0.1:{free_port()}", "--address", ADDRESS, "--no-probe")
    assert done.exit_code == 1
    assert f"IN A    {ADDRESS}" in done.stdout
    assert "broken  DNS: The resolver" in done.stdout


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
        assert {line.split()[0] for line in done.stdout.split("\n\n")[-1].splitlines()} == {"well"}
        assert "A probe goes to 127.0.0.1:" in done.stderr
        document: dict[str, Any] = json.loads(doctor("--json", **settings).stdout)
        assert {finding["mark"] for finding in document["findings"]} == {"well"}
        assert 0 <= document["seconds"] < 60
        relay.change = judged(PASSED, removes=False, signed=SIGNED)
        spoofed = doctor(**settings)
        assert spoofed.exit_code == 1
        assert "broken  forged verdicts: One that we wrote ourselves" in spoofed.stdout
    services.database.close()
