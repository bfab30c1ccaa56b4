"""Mail servers in front, as docs/hosting.md has them set up: real ones on a Debian of their own, and a turn by mail.

Every command of the page's section runs as it is printed; only what no machine without systemd and without the internet
can do is stood in for: `systemctl` starts what the units start, and OpenDKIM is told of the resolver of this world.
"""

import json
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, Final

import pytest

from tests.acceptance.processes import ROOT, procfile
from tests.debian_box import BOX, NAME_SERVER, WORLD, DebianBox, NoBox

pytestmark = [pytest.mark.long, pytest.mark.timeout(1200)]
BIN: Final = Path(sys.executable).parent
SYSTEMCTL: Final = """#!/bin/sh
# restart UNIT ...: what systemd would start, by the units of the packages
shift
for unit in "$@"; do
    case $unit in
        postfix) /usr/lib/postfix/configure-instance.sh -; postfix stop > /dev/null 2>&1; postfix start ;;
        exim4) pkill -x exim4; mkdir -p /run/exim4; exim4 -bd -q1m ;;
        opendkim | opendmarc)
            mkdir -p /run/$unit; chown $unit: /run/$unit; pkill -x $unit
            while pkill -0 -x $unit; do sleep 0.1; done
            $(sed -n 's/^ExecStart=//p' /lib/systemd/system/$unit.service) ;;
    esac
done
"""
WARDROOM: Final = """#!/bin/sh
set -a; . /etc/wardroom/wardroom.env; set +a
for file in /etc/wardroom/credentials/*; do
    export "WARDROOM_$(basename "$file" | tr a-z A-Z)_FILE=$file"
done
export PYTHONPATH={root} PYTHONPYCACHEPREFIX=/tmp/pycache
exec "$@"
"""
SETTINGS: Final = """\
WARDROOM_DATA_DIR=/var/lib/wardroom
WARDROOM_BASE_URL=https://games.example
WARDROOM_MAIL_FROM=game@games.example
WARDROOM_MAIL_DOMAIN=in.games.example
WARDROOM_AUTHSERV_ID=mx.games.example
WARDROOM_MAIL_IN=lmtp://127.0.0.1:8025
WARDROOM_MAIL_WINDOW=PT0S
WARDROOM_SWEEP_SECONDS=1
"""
PEOPLE: Final = [
    ["people.example", "MX", ["10 mx.people.example."]],
    ["mx.people.example", "A", [WORLD]],
    ["people.example", "TXT", [f"v=spf1 ip4:{WORLD} -all"]],
    ["_dmarc.people.example", "TXT", ["v=DMARC1; p=reject"]],
    ["77.113.0.203.in-addr.arpa", "PTR", ["mx.people.example."]],
]


def text_of(title: str) -> str:
    """Return a section of docs/hosting.md."""
    text = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    found = re.search(rf"^### {re.escape(title)}\n(.*?)(?=^##)", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def section(title: str) -> list[str]:
    """Return the commands of a section, as they are printed."""
    return re.findall(r"^    (\S.*)$", text_of(title), re.MULTILINE)


def records(key: str) -> list[tuple[str, str, list[str]]]:
    """Return the DNS records of the page: name, type and values. `key` is the file of opendkim-genkey."""
    rows = re.findall(r"^\| (\S+) \| (A|MX|TXT|PTR) \| (.+?) \|", text_of("A mail server of your own"), re.MULTILINE)
    assert [kind for _, kind, _ in rows] == ["A", "MX", "TXT", "TXT", "TXT", "PTR"]
    found = []
    for name, kind, value in rows:
        if kind == "PTR":
            name = f"{'.'.join(reversed(name.split('.')))}.in-addr.arpa"
        if "._domainkey." in name:
            assert re.split(r"\s", key)[0] == name.removesuffix(".games.example")
            value = "".join(re.findall(r'"([^"]*)"', key))
        found.append((name, kind, [value]))
    return found


class Host:
    """A machine with Wardroom installed and a world that has its DNS and other people's mail."""

    def __init__(self, box: DebianBox, folder: Path) -> None:
        self.box = box
        self.folder = folder
        self.world = "/var/world"
        self._install()

    def _install(self) -> None:
        write = self.write
        write("/usr/local/bin/systemctl", SYSTEMCTL, mode="755")
        write("/usr/local/bin/with-settings", WARDROOM.format(root=ROOT), mode="755")
        write(
            "/usr/local/bin/wardroom", f'#!/bin/sh\nexec with-settings {BIN}/python -m service.cli "$@"\n', mode="755"
        )
        write("/etc/wardroom/wardroom.env", SETTINGS)
        write("/etc/wardroom/credentials/secret_key", "s" * 40, mode="600")
        write("/etc/wardroom/credentials/smtp_url", "smtp://127.0.0.1:25")
        self.box.run("adduser --system --group --home /var/lib/wardroom wardroom")
        self.box.run(f"mkdir -p /var/lib/wardroom {self.world}")

    def write(self, path: str, text: str, mode: str = "644") -> None:
        made = f"mkdir -p $(dirname {path}); printf %s {shlex.quote(text)} > {path}; chmod {mode} {path}"
        self.box.run(made)

    def types(self, command: str, fails: bool = False) -> str:
        """What a command says that a host types."""
        told = f"({command}) 2>&1{' || true' if fails else ''}"
        return self.box.run(told, environ={"DEBIAN_FRONTEND": "noninteractive"}).stdout

    def enter_records(self, key: str) -> None:
        """Enter the records of the page into the zone, and start the world."""
        self.write(f"{self.world}/zone.json", json.dumps([*records(key), *PEOPLE]))
        serve = f"env PYTHONPATH={ROOT} {BIN}/python -m tests.mail_world {self.world}/zone.json {self.world}"
        self.box.start(serve, self.folder / "world.log", world=True)
        self.until(lambda: "ready" in self.box.run(f"ls {self.world}").stdout, "the world")

    def start_wardroom(self) -> None:
        """The process `mail` as the Procfile has it, and all others in one."""
        self.types("wardroom migrate")
        mail = shlex.join(procfile()["mail"]).replace(" python ", f" {BIN}/python ")
        self.box.start(f"with-settings {mail}", self.folder / "mail.log")
        serve = f"env WARDROOM_MAIL_IN=off {BIN}/python -m workers.processes.embedded"
        self.box.start(f"with-settings {serve}", self.folder / "serve.log")
        self.until(lambda: "200" in self.box.run("curl -so/dev/null -w%{http_code} http://127.0.0.1:8000/ || true").stdout, "the page")  # fmt: skip  # noqa: E501
        self.until(lambda: ":8025" in self.box.run("ss -ltn").stdout, "the mail process")

    def until(self, found: Callable[[], Any], what: str, seconds: float = 60) -> Any:
        end = time.monotonic() + seconds
        while not (result := found()):
            if time.monotonic() > end:
                logs = "".join(path.read_text(errors="replace")[-3000:] for path in self.folder.glob("*.log"))
                raise TimeoutError(f"{what} did not come\n{logs}")
            time.sleep(0.3)
        return result

    def mails(self) -> list[EmailMessage]:
        """What came for people.example."""
        names = sorted(self.box.run(f"ls {self.world}").stdout.split())
        found = [self.box.run(f"cat {self.world}/{name}").stdout for name in names if name.endswith(".eml")]
        return [message_from_bytes(text.encode(), policy=policy.default) for text in found]

    def api(self, method: str, path: str, body: object = None, token: str = "") -> Any:
        """Ask the REST API, from within."""
        words = ["curl", "-sS", "-X", method, f"http://127.0.0.1:8000/api/v1{path}"]
        words += ["-H", f"Authorization: Bearer {token}"] if token else []
        words += ["-H", "Content-Type: application/json", "-d", json.dumps(body)] if body is not None else []
        return json.loads(self.box.run(shlex.join(words)).stdout or "null")

    def send_from_world(self, message: EmailMessage, sender: str, forged: str = "") -> str:
        """Somebody's mail server brings a mail. What the last answer was, or "" where it was taken."""
        script = (
            "import smtplib,sys\n"
            f"s=smtplib.SMTP({BOX!r},25,'mx.people.example',timeout=60); s.starttls(); s.ehlo()\n"
            f"try: s.sendmail({sender!r},[{message['To']!r}],sys.argv[1])\n"
            "except smtplib.SMTPResponseException as e: print(e.smtp_code,e.smtp_error)\n"
            "except smtplib.SMTPRecipientsRefused as e: print(*e.recipients.values())\n"
        )
        raw = forged + message.as_bytes(policy=policy.SMTP).decode()
        return self.box.run(shlex.join([f"{BIN}/python", "-c", script, raw]), world=True).stdout.strip()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Callable[[str], Host]]:
    """A machine with these packages."""
    boxes: list[DebianBox] = []

    def make(packages: str) -> Host:
        box = DebianBox(tmp_path, packages)
        try:
            box.__enter__()
        except NoBox as why:
            pytest.skip(f"a Debian of its own {why}")
        boxes.append(box)
        return Host(box, tmp_path)

    yield make
    for box in boxes:
        box.__exit__()


def installed(commands: list[str]) -> tuple[str, list[str]]:
    """The packages of the first command, which is run while the machine still has a network; and all others."""
    first, *others = commands
    assert first.startswith("apt-get install -y ")
    return first.removeprefix("apt-get install -y "), others


def reply(letter: EmailMessage, sender: str, text: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = sender
    message["To"] = str(letter["Reply-To"].addresses[0].addr_spec)
    message["Subject"] = f"Re: {letter['Subject']}"
    message["Message-ID"] = f"<{time.monotonic_ns()}@people.example>"
    message.set_content(text)
    return message


def plays_a_turn(host: Host) -> None:
    """Ann is told that it is her turn, answers, and it counts; who forges her name does not move."""
    made = host.types("wardroom token ann@people.example --name Ann")
    token = made.split()[-1]
    table = {"ruleset": "city-hall", "seats": 3, "bots": [{"strength": 0}, {"strength": 0}]}
    game = host.api("POST", "/games", table, token)["id"]
    letter = host.until(
        lambda: next((mail for mail in host.mails() if mail["Reply-To"] and "mv-" in mail["Reply-To"]), None),
        "the mail that it is her turn", 120,
    )  # fmt: skip
    signature = re.sub(r"\s", "", str(letter["DKIM-Signature"])).lower()
    assert all(f":{name}" in signature for name in ("list-unsubscribe", "list-unsubscribe-post", "wardroom-checkpoint"))
    before = host.api("GET", f"/games/{game}", token=token)["version"]
    move = host.api("GET", f"/games/{game}/actions", token=token)["actions"][0]["text"]
    forger = "Authentication-Results: mx.games.example; dkim=pass header.d=people.example; dmarc=pass header.from=people.example\r\n"  # noqa: E501
    assert host.send_from_world(reply(letter, "ann@people.example", move), "x@forger.example", forger) == ""
    held = host.until(
        lambda: re.findall(r"(held|applied)", host.types("wardroom mail list")), "what came of the forgery"
    )
    assert held == ["held"], "a claim of one's own is no verdict"
    assert host.api("GET", f"/games/{game}", token=token)["version"] == before
    assert host.send_from_world(reply(letter, "Ann <ann@people.example>", move), "ann@people.example") == ""
    host.until(lambda: "applied" in host.types("wardroom mail list"), "her move")
    assert host.api("GET", f"/games/{game}", token=token)["version"] > before
    stranger = reply(letter, "ann@people.example", move)
    stranger.replace_header("To", "nobody@in.games.example")
    assert host.send_from_world(stranger, "ann@people.example").startswith(("550", "(550"))


def is_well_and_plays(host: Host, notes: tuple[str, ...] = ()) -> None:
    """doctor finds nothing but these notes, and a turn goes out and comes back."""
    host.start_wardroom()
    told = host.types("wardroom doctor --mail", fails=True)
    findings = [line for line in told.splitlines() if line.split(" ")[0] in ("well", "note", "broken")]
    assert [line.partition(": ")[0] for line in findings if not line.startswith("well")] == [*notes], told
    for what in ("forged verdicts", "verdict of SPF", "verdict of DKIM", "moves by mail", "signature", "body"):
        assert any(line.startswith(f"well    {what}: ") for line in findings), told
    plays_a_turn(host)


def test_postfix_in_front_as_the_page_has_it(machine: Callable[[str], Host]) -> None:
    packages, commands = installed(section("A mail server of your own"))
    host = machine(packages)
    *sets_up, shows, looks = commands
    assert (shows, looks) == ("cat /etc/dkimkeys/wardroom.txt", "wardroom doctor --mail")
    key = next(number for number, command in enumerate(sets_up) if command.startswith("opendkim-genkey"))
    sets_up.insert(key, f"sed -i 's/^TrustAnchorFile.*/Nameservers {NAME_SERVER}/' /etc/opendkim.conf")
    host.types("\n".join(sets_up))
    host.enter_records(host.types(shows))
    is_well_and_plays(host)
    host.box.run("pkill -f workers.mail_in.listener")
    stopped = host.types("wardroom doctor --mail --wait 3", fails=True)
    assert "broken  intake: Nothing answers by LMTP on 127.0.0.1:8025" in stopped
    assert "broken  mail in: The probe did not come back within 3 s." in stopped


def test_exim_in_front_as_its_file_has_it(machine: Callable[[str], Host]) -> None:
    file = (ROOT / "deploy" / "exim" / "exim4.conf").read_text(encoding="utf-8")
    packages, sets_up = installed(re.findall(r"^#   (\S.*)$", file, re.MULTILINE))
    host = machine(packages)
    host.types("\n".join(sets_up))
    host.enter_records(host.types("cat /etc/exim4/wardroom.txt"))
    routes = host.types("exim4 -bt mv-x@in.games.example ann@people.example postmaster@mx.games.example")
    assert re.findall(r"transport = (\w+)", routes) == ["wardroom", "remote", "mailbox"], routes
    assert "Configuration file is /etc/exim4/exim4.conf" in host.types("exim4 -bV -C /etc/exim4/exim4.conf")
    is_well_and_plays(host, ("note    verdict of DMARC",))
    a_mailbox_instead(host)


def a_mailbox_instead(host: Host) -> None:
    """What the page says of a provider's mailbox is understood, as far as that goes without the provider."""
    lines = section("A provider's mailbox instead")
    for command in lines:
        if command.startswith("echo "):
            host.types(command)
    own = [line for line in lines if line.startswith("WARDROOM_")]
    host.write("/etc/wardroom/wardroom.env", "\n".join([SETTINGS, *own, "WARDROOM_MAIL_IN=off", ""]))
    told = host.types("wardroom doctor --mail --wait 1", fails=True)
    assert "Nobody has looked into the IMAP mailbox yet." in told
    assert "broken  mail out: The mail server cannot be reached" in told
