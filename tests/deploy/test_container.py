"""The image and the club of containers: what they are made of, that nothing in them has more rights than it needs, and,
in the drill, that the image is built, runs as nobody, and plays."""

import os
import re
import shutil
import signal
import socket
import threading
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from click.testing import CliRunner

import dev
from config import settings
from config.release import release
from service.cli import main
from tests.acceptance.processes import Person, Program, answers, procfile, until
from tests.deploy.container import HERE, INSTRUCTIONS, NEEDED, compose, images, instructions, words_of
from tests.package.build import build
from tests.ports import free_port

FILES: Final = [HERE / "Containerfile", HERE / "mailserver" / "Containerfile"]
OURS: Final = ("migrate", "web", "worker", "bots", "beat", "news", "mail")
KEYS: Final = {
    "cap_add", "cap_drop", "command", "depends_on", "environment", "healthcheck", "hostname", "image", "init", "ports",
    "read_only", "restart", "secrets", "security_opt", "shm_size", "stop_grace_period", "tmpfs", "user", "volumes",
}  # fmt: skip
"""What the Compose specification knows of a service and we use: a slip of the pen is none of them."""
SERVICES: Final = compose()["services"]
each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(HERE)))


@each_file
def test_a_containerfile_is_made_of_known_instructions_without_a_shell(path: Path) -> None:
    found = instructions(path)
    assert {word for word, _ in found} <= set(INSTRUCTIONS)
    for word, rest in found:
        if word in ("RUN", "CMD", "HEALTHCHECK"):
            assert words_of(rest)[0] not in ("sh", "bash", "/bin/sh"), rest
    assert [word for word, _ in found].count("HEALTHCHECK") == 1
    assert found[-1][0] == "CMD"


@each_file
def test_no_file_names_a_registry_and_every_image_has_a_tag(path: Path) -> None:
    bases = [rest for word, rest in instructions(path) if word == "ARG" and rest.startswith("BASE=")]
    for name in (*(base.removeprefix("BASE=") for base in bases), *(each["image"] for each in SERVICES.values())):
        assert re.fullmatch(r"[a-z-]+:[0-9a-z][0-9a-z.-]*", name), name
        assert not name.endswith(":latest")
    assert all(rest.startswith("${BASE}") for word, rest in instructions(path) if word == "FROM")


def test_the_image_has_two_stages_and_what_runs_is_nobody_s() -> None:
    found = instructions(FILES[0])
    second = max(place for place, (word, _) in enumerate(found) if word == "FROM")
    made, kept = found[:second], found[second:]
    assert [rest for word, rest in found if word == "FROM"] == ["${BASE} AS build", "${BASE}"]
    pip = [words_of(rest) for word, rest in made if word == "RUN" and "pip" in words_of(rest)]
    assert {"--require-hashes", "--only-binary"} <= set(pip[0])
    assert {"--no-deps", "--no-index"} <= set(pip[1])
    assert not any("pip" in rest for _, rest in kept)
    assert dict(kept)["USER"] == "10001:10001"
    assert dict(kept)["VOLUME"] == "/var/lib/wardroom"
    assert f'image.version="{release().version}"' in next(rest for word, rest in kept if word == "LABEL")
    assert not any(word in ("ADD", "ENV") and re.search("KEY|PASSWORD|URL=", rest) for word, rest in found)


def test_compose_knows_every_key_and_whatever_a_service_asks_for_is_there() -> None:
    document = compose()
    for name, service in SERVICES.items():
        assert set(service) <= KEYS, name
        assert set(service.get("secrets", [])) <= set(document["secrets"]), name
        named = [volume.partition(":")[0] for volume in service.get("volumes", [])]
        assert {volume for volume in named if not volume.startswith(".")} <= set(document["volumes"]), name
        assert all((HERE / volume).exists() for volume in named if volume.startswith(".")), name
        for other, how in service.get("depends_on", {}).items():
            healthy = "test" in SERVICES[other].get("healthcheck", {})
            assert how["condition"] == ("service_healthy" if healthy else "service_completed_successfully"), name
    assert all(secret["file"].startswith("./secrets/") for secret in document["secrets"].values())


def test_containers_have_no_rights_that_they_do_not_need() -> None:
    for name, service in SERVICES.items():
        assert service["cap_drop"] == ["ALL"], name
        if name != "mailserver":  # Postfix's master hands its work to programs with the rights of others
            assert (service["read_only"], service["security_opt"]) == (True, ["no-new-privileges:true"]), name
        if name in OURS:
            assert "cap_add" not in service
            assert service["image"] == f"wardroom:{release().version}"
            assert ("database_owner_url" in service["secrets"]) == (name == "migrate"), "the service is not the owner"
            assert not re.search("SECRET_KEY:|PASSWORD", str(service["environment"]))
    shown = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert shown.pop("mailserver") == ["25:25"]
    assert all(port.startswith("127.0.0.1:") for ports in shown.values() for port in ports)


def test_containers_run_what_the_procfile_runs() -> None:
    for name, command in procfile().items():
        service = SERVICES["migrate" if name == "release" else name]
        said = [*(f"{key}={value}" for key, value in service["environment"].items() if key == "REMAP_SIGTERM")]
        wanted = [word for word in command if word != "env"]
        ours = service["command"] if name != "release" else ["python", "-m", "service.cli", *service["command"][1:]]
        assert [*said, *ours] == wanted, name


def test_the_settings_of_containers_are_settings_and_can_be_loaded(tmp_path: Path) -> None:
    secrets = {
        "database_url": "postgresql://wardroom:secret@database/wardroom",
        "secret_key": "k" * 64,
        "smtp_url": "smtp://mailserver:587",
    }
    for name, text in secrets.items():
        (tmp_path / name).write_text(f"{text}\n")
    given = {name: str(value) for name, value in SERVICES["web"]["environment"].items()}
    assert settings.unknown(given) == []
    moved = {name: value.replace("/run/secrets", str(tmp_path)) for name, value in given.items()}
    loaded = settings.load(moved, makes_key=False)
    assert loaded.database_url.endswith("wardroom:secret@database/wardroom")
    assert loaded.secret_key == secrets["secret_key"]
    assert (loaded.news, loaded.web_address) == (("0.0.0.0", 8001), ("web", 8000))


# -- wardroom healthcheck


@pytest.mark.parametrize(
    ("process", "says", "code"),
    [
        ("web", b"HTTP/1.1 200 OK\r\n\r\n", 0),
        ("web", b"HTTP/1.1 503 Service Unavailable\r\n\r\n", 1),
        ("mail", b"220 in.games.example LMTP\r\n", 0),
        ("mail", b"421 not now\r\n", 1),
        ("news", b"", 1),
        ("web", None, 1),
    ],
)
def test_a_process_is_well_where_it_answers(
    process: str, says: bytes | None, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        if says is None:
            server.close()
        else:
            threading.Thread(target=answer_once, args=(server, says), daemon=True).start()
        monkeypatch.setenv("WARDROOM_SECRET_KEY", "k" * 40)
        monkeypatch.setenv("WARDROOM_HOST", "0.0.0.0" if process == "web" else "127.0.0.1")
        monkeypatch.setenv("WARDROOM_PORT", str(port))
        monkeypatch.setenv("WARDROOM_MAIL_IN", f"lmtp://127.0.0.1:{port}")
        monkeypatch.setenv("WARDROOM_NEWS", f"127.0.0.1:{port}")
        done = CliRunner().invoke(main, ["healthcheck", process])
    assert done.exit_code == code, done.output
    assert (f"{process} does not answer at 127.0.0.1:{port}" in done.output) == bool(code)


def answer_once(server: socket.socket, says: bytes) -> None:
    connection, _ = server.accept()
    with connection:
        connection.sendall(says)
        connection.settimeout(10)
        connection.recv(1000)


def test_what_is_off_cannot_be_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARDROOM_SECRET_KEY", "k" * 40)
    done = CliRunner().invoke(main, ["healthcheck", "news"])
    assert (done.exit_code, "WARDROOM_NEWS is off" in done.output) == (os.EX_CONFIG, True)


# -- the drill

missing = [program for program in NEEDED if shutil.which(program) is None]
buildable = pytest.mark.skipif(
    bool(missing) or os.geteuid() != 0 or not (dev.WHEELS / "lock.sha256").exists(),
    reason="an image is built by root, with buildah, debootstrap and crun of Debian and the wheels of `dev.py test`",
)


@pytest.mark.long
@pytest.mark.timeout(1800)
@buildable
def test_the_image_is_built_from_the_lock_and_plays_a_game_as_nobody(tmp_path: Path) -> None:
    """Built from scratch: the base is made of Debian's packages under the name that the Containerfile asks for."""
    dist = build(tmp_path / "dist", "-t", "wheel")
    (tmp_path / "store").mkdir()
    with images(tmp_path / "store") as buildah:
        buildah.make_base("python:3.11-slim-bookworm", "debian:bookworm-slim")
        offline = ("--build-arg", "PIP_NO_INDEX=1", "--build-arg", "PIP_FIND_LINKS=/wheels")
        wheels = ("-v", f"{dev.WHEELS}:/wheels:ro")
        how = ("build", "--pull-never", "--layers=false", "--format", "docker")
        buildah(*how, *offline, *wheels, "-t", "wardroom:test", "-f", FILES[0], dist)
        container = buildah("from", "--pull-never", "wardroom:test")
        assert buildah.said(container, "id", "-u") == "10001"
        assert release().version in buildah.said(container, "wardroom", "--version")
        assert buildah.run("run", container, "--", "touch", "/opt/wardroom/x").returncode != 0
        assert buildah.run("run", container, "--", "wardroom", "serve").returncode == os.EX_CONFIG, (
            "others could reach it"
        )
        plays(buildah, container, tmp_path)
        buildah(*how, "-t", "mailserver:test", FILES[1].parent)
        postfix = buildah("from", "--pull-never", "mailserver:test")
        buildah("run", postfix, "--", "postfix", "check")
        assert "reject_unauth_destination" in buildah(
            "run", postfix, "--", "postconf", "-h", "smtpd_relay_restrictions"
        )


def plays(buildah: Any, container: str, folder: Path) -> None:
    """A game against bots in the container, from its first move to the next."""
    port = free_port()
    set_so = [f"--env=WARDROOM_{name}" for name in ("HOST=127.0.0.1", f"PORT={port}", "MAIL_IN=off")]
    inside = ["buildah", "run", *set_so, container, "--", "wardroom"]
    with Program([*inside, "serve"], buildah.environ, folder / "serve.log") as server:
        until(lambda: answers(port) or server.process.poll() is not None, "the service", 120)
        buildah("run", *set_so, container, "--", "wardroom", "healthcheck")
        token = buildah.said(*set_so, container, "wardroom", "token", "ann@people.example", "--name", "Ann")
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as http:
            ann = Person("ann", http, {"Authorization": f"Bearer {token.split()[-1]}"})
            bots = [{"strength": 1}, {"strength": 1}]
            game = ann.post("/games", {"ruleset": "tammany-hall", "seats": 3, "bots": bots})["id"]
            first = until(lambda: her_turn(ann, game), "her turn", 120)
            while until(lambda: her_turn(ann, game), "her next turn", 120) <= first:
                ann.post(f"/games/{game}/moves", {"text": ann.legal_move(game)})
            assert ann.get(f"/games/{game}/audit")["ok"]
        server.signal(signal.SIGTERM)
        server.wait()


def her_turn(ann: Person, game: str) -> int:
    """The version of a game in which the first seat is asked; 0 where it is not."""
    seen = ann.get(f"/games/{game}")
    return int(seen["version"]) if 0 in seen["awaiting"] else 0
