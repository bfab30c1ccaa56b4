"""`docs/hosting.md`, followed from an empty Debian to a turn that is played: each command as it is printed.

The system is booted in a container without a network: its packages, those of Debian and those of the lock, are brought
before, as the page says for machines without internet.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.acceptance.processes import ROOT, until
from tests.deploy.debian import Debian, why_not
from tests.deploy.test_proxies import NAME, Certificate
from tests.package.build import build

PAGE: Final = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
ANN: Final = "ann@example.org"
OFFLINE: Final = "export PIP_NO_INDEX=1 PIP_FIND_LINKS=wheels"
LEFT: Final = {
    "certbot certonly": "no authority gives a certificate to a machine without a name: one made by itself lies there",
    "apt-get install -y caddy": "nginx has the ports: tests/deploy/test_proxies.py",
    "sed 's/games\\.example/games.example/g' deploy/caddy": "the same",
    "systemctl reload caddy": "the same",
}
"""Lines of sections that are run, by how they begin, which are not, and why."""
LEFT_SECTIONS: Final = {
    "7. Mail": "words; a mail server of the tests takes what is sent here",
    "A mail server of your own": "tests/acceptance/test_mail_servers.py, on a machine that has nothing else",
    "A provider's mailbox instead": "the same",
    "11. Upgrade": "there is one release here: tests/service/store/test_schema.py",
    "12. Watch it": "tests of their own",
    "13. Commands for the host": "tests/acceptance/test_documented.py",
    "Containers": "another way",
    "Without internet, with a mirror, behind a proxy": "done before the container boots, in `packages`",
}


def sections() -> dict[str, list[str]]:
    """The commands under each heading of the page, in order."""
    found = {}
    for part in re.split(r"^##+ ", PAGE, flags=re.MULTILINE)[1:]:
        heading, _, text = part.partition("\n")
        found[heading] = [line[4:] for line in text.splitlines() if line.startswith("    ")]
    return found


def kept(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith(tuple(LEFT))]


def test_every_section_is_run_or_left_for_a_reason():
    told = {"1. What you need", "2. Install", "3. Database", "4. Settings and key", "5. Run", "6. Proxy and TLS",
            "8. Check it", "9. The first game", "10. Back up", "One machine with SQLite", "A Procfile with a runner",
            "Other ways"}  # fmt: skip
    assert sections().keys() == told | LEFT_SECTIONS.keys()
    lines = [line for heading in told for line in sections()[heading]]
    assert [start for start in LEFT if not any(line.startswith(start) for line in lines)] == []


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Debian]:
    """Booted, with a release in /root, packages at hand, and a certificate for the name."""
    made = Debian(tmp_path_factory.mktemp("debian") / "root")
    home = made.folder / "root"
    build(home)
    packages(made)
    with (made.folder / "etc" / "hosts").open("a") as hosts:
        hosts.write(f"127.0.0.1 localhost {NAME}\n")
    live = made.folder / "etc" / "letsencrypt" / "live" / NAME
    live.mkdir(parents=True)
    certificate = Certificate(live)
    authorities = made.folder / "usr" / "local" / "share" / "ca-certificates"
    (authorities / "own.crt").write_bytes(certificate.file.read_bytes())
    made.changed("update-ca-certificates")
    with made:
        yield made


def packages(debian: Debian) -> None:
    """Bring the packages that the page installs, without installing any of Debian's."""
    names = {
        name for line in re.findall(r"apt-get install -y ([a-z0-9 .-]+)$", PAGE, re.MULTILINE) for name in line.split()
    }
    debian.changed(f"apt-get update; apt-get install -y --download-only {' '.join(sorted(names - {'caddy'}))}")
    debian.changed("apt-get install -y --no-install-recommends python3-venv")
    authorities = Path("/etc/ssl/certs/ca-certificates.crt")
    (debian.folder / "etc/ssl/certs/ca-certificates.crt").write_bytes(authorities.read_bytes())
    fetch = [line for line in sections()["Without internet, with a mirror, behind a proxy"] if "fetch" in line]
    debian.changed("cd /root; " + "; ".join(fetch))


def follow(debian: Debian, lines: list[str], folder: str = "/opt/wardroom/share/wardroom") -> str:
    """Type these lines one after the other in one shell; the first that fails ends it. Answers what they print."""
    script = "\n".join(["set -e -o pipefail", f"cd {folder}", *lines])
    done = debian.run(script)
    return done.stdout


PLAY: Final = """
import json, sys, time, urllib.request
def ask(path, body=None):
    headers = {"Authorization": "Bearer " + sys.argv[1], "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request("https://games.example/api/v1" + path, data, headers)
    return json.load(urllib.request.urlopen(request, timeout=60))
game = ask("/games", {"ruleset": "tammany-hall", "seats": 3, "bots": [{"strength": 1}, {"strength": 1}]})["id"]
for _ in range(600):
    if 0 in ask("/games/" + game)["awaiting"]:
        break
    time.sleep(0.2)
legal = [action["text"] for action in ask("/games/" + game + "/actions")["actions"]]
print(ask("/games/" + game + "/moves", {"text": "end" if "end" in legal else legal[0]})["version"])
"""


@pytest.mark.long
@pytest.mark.skipif(why_not() is not None, reason=f"{why_not()}")
@pytest.mark.timeout(3600)
def test_the_page_leads_from_an_empty_debian_to_a_turn_that_is_played(debian):
    page = sections()
    follow(debian, [OFFLINE, *page["2. Install"]], "/root")
    takes_mail(debian)
    for heading in ("3. Database", "4. Settings and key", "5. Run", "6. Proxy and TLS"):
        follow(debian, kept(page[heading]))
    until(lambda: '"ready"' in debian.run(f"curl -s https://{NAME}/readyz", check=False).stdout, "readiness", 120)
    doctor = follow(debian, page["8. Check it"])
    assert "well    role: The service logs in as wardroom, works as wardroom_app" in doctor
    token = follow(debian, page["9. The first game"]).split()[-1]
    (debian.folder / "root" / "play.py").write_text(PLAY)
    assert int(debian.run(f"/opt/wardroom/bin/python /root/play.py {token}").stdout) > 1
    until(
        lambda: ANN in debian.run("grep -rh ^To: /var/tmp/sink/new", check=False).stdout,
        "a mail that it is her turn",
        60,
    )
    follow(debian, kept(page["10. Back up"]))
    is_killed(debian)
    keeps_its_secrets(debian)
    ends_for_good_where_a_setting_is_wrong(debian)
    runs_under_supervisord(debian, page["A Procfile with a runner"])
    runs_alone_with_sqlite(debian, page["One machine with SQLite"])


def takes_mail(debian: Debian) -> None:
    """A mail server on port 25 that keeps what comes."""
    sink = "/opt/wardroom/bin/python -m aiosmtpd -n -l 127.0.0.1:25 -c aiosmtpd.handlers.Mailbox /var/tmp/sink"
    debian.run(f"systemd-run --unit=sink {sink}")


def is_killed(debian: Debian) -> None:
    """Every process, by SIGKILL; systemd brings it back."""
    for name in ("web", "worker", "bots", "beat", "news", "mail"):
        debian.run(f"systemctl kill --kill-whom=main --signal=KILL wardroom-{name}")
    for name in ("web", "worker", "bots", "beat", "news", "mail"):
        again = f"systemctl show -p NRestarts --value wardroom-{name}; systemctl is-active wardroom-{name}"
        until(lambda again=again: debian.run(again, check=False).stdout.split() == ["1", "active"], name, 120)
    until(lambda: '"ready"' in debian.run(f"curl -s https://{NAME}/readyz", check=False).stdout, "readiness", 120)


def keeps_its_secrets(debian: Debian) -> None:
    """A process of the service sees nothing of /etc/wardroom, and writes nowhere but to its data."""
    inside = "nsenter -t $(systemctl show -p MainPID --value wardroom-web) -m -S 65534 -G 65534"
    assert debian.run(f"{inside} ls /etc/wardroom", check=False).returncode != 0
    assert debian.run(f"{inside} touch /opt/wardroom/x", check=False).returncode != 0
    assert debian.run("stat -c %U:%a /var/lib/wardroom").stdout == "wardroom:700\n"


def ends_for_good_where_a_setting_is_wrong(debian: Debian) -> None:
    debian.run("echo WARDROOM_PORT=x >> /etc/wardroom/wardroom.env; systemctl restart wardroom-web", check=False)
    status = "systemctl show -p Result -p ExecMainStatus --value wardroom-web; systemctl is-active wardroom-web"
    until(lambda: debian.run(status, check=False).stdout.split() == ["exit-code", "78", "failed"], "its end", 60)
    assert "WARDROOM_PORT is" in debian.run("journalctl -u wardroom-web -n 20").stdout
    debian.run("sed -i /WARDROOM_PORT/d /etc/wardroom/wardroom.env; systemctl restart wardroom-web")


def stop(debian: Debian) -> None:
    debian.run("systemctl disable --now wardroom.target wardroom-{web,worker,bots,beat,mail,news}")


def serves(debian: Debian) -> None:
    until(lambda: debian.run("curl -fs http://127.0.0.1:8000/healthz", check=False).returncode == 0, "the service", 120)


def runs_under_supervisord(debian: Debian, lines: list[str]) -> None:
    stop(debian)
    *before, starts = lines
    follow(debian, [*before, f"{starts} > /var/tmp/supervisord.log 2>&1 &", "echo $! > /run/runner"])
    serves(debian)
    debian.run("kill $(cat /run/runner); tail --pid=$(cat /run/runner) -f /dev/null")


def runs_alone_with_sqlite(debian: Debian, lines: list[str]) -> None:
    debian.run("rm -r /etc/wardroom/credentials/* /etc/wardroom/owner/* /var/lib/wardroom/*")
    follow(debian, lines)
    serves(debian)
    until(lambda: debian.run("wardroom doctor", check=False).returncode == 0, "health", 60)
