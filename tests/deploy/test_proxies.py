"""The proxies of `deploy/nginx` and `deploy/caddy` before the service, as they are but for ports and certificate."""

import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.acceptance.processes import ROOT, Person, Program, answers, environment, until
from tests.ports import free_port
from tests.smtp_sink import SmtpSink

NAME: Final = "games.example"
FILES: Final = {"nginx": ROOT / "deploy/nginx/wardroom.conf", "caddy": ROOT / "deploy/caddy/Caddyfile"}
AROUND_NGINX: Final = """
user root; daemon off; pid {folder}/pid; error_log stderr; events {{}}
http {{
    access_log {folder}/access.log;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/wardroom.conf;
}}
"""
INSIDE_CADDY: Final = "\n{{\n\tadmin off\n\thttp_port {http}\n\tskip_install_trust\n"


def needs(program: str) -> pytest.MarkDecorator:
    reason = f"{program} is not installed: Debian's package of that name has it"
    return pytest.mark.skipif(shutil.which(program) is None, reason=reason)


WITHOUT: Final = 11
"""Seconds after which a proxy asks again where nobody listened."""
EACH: Final = [pytest.param(name, marks=needs(name)) for name in FILES]


class Certificate:
    """A certificate for the name, made by itself, in a folder."""

    def __init__(self, folder: Path) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name, now = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)]), datetime.now(UTC)
        made = (
            x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
            .serial_number(1).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False).sign(key, hashes.SHA256())
        )  # fmt: skip
        self.file, self.key = folder / "fullchain.pem", folder / "privkey.pem"
        self.file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
        encoded = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        self.key.write_bytes(encoded)


class Ports:
    """Where proxy, service and news listen here."""

    def __init__(self) -> None:
        self.http, self.https, self.web, self.news = (free_port() for _ in range(4))


def configured(proxy: str, folder: Path, ports: Ports) -> list[str]:
    """Write the file of a proxy with these ports and a certificate; answers the words that start it."""
    certificate = Certificate(folder)
    text = FILES[proxy].read_text(encoding="utf-8").replace(":8000", f":{ports.web}").replace(":8001", f":{ports.news}")
    if proxy == "nginx":
        text = re.sub(r"listen \[.*\n", "", text).replace("listen 80;", f"listen {ports.http};")
        text = text.replace("listen 443 ", f"listen {ports.https} ")
        text = text.replace(f"/etc/letsencrypt/live/{NAME}", str(folder)).replace("/var/log/nginx", str(folder))
        (folder / "wardroom.conf").write_text(text, encoding="utf-8")
        (folder / "nginx.conf").write_text(AROUND_NGINX.format(folder=folder), encoding="utf-8")
        return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    text = text.replace(f"{NAME} {{", f"{NAME}:{ports.https} {{\n\ttls {certificate.file} {certificate.key}", 1)
    text = text.replace("\n{\n", INSIDE_CADDY.format(http=ports.http), 1)
    (folder / "Caddyfile").write_text(text, encoding="utf-8")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


@pytest.mark.parametrize("file", ["nginx/wardroom.conf", "caddy/Caddyfile"])
@pytest.mark.parametrize("header", ["X-Request-Id", "traceparent"])
def test_no_client_names_its_own_requests(file, header):
    """A proxy that is believed passes none of these on: they lead into logs and traces of others (decision 0103)."""
    text = (ROOT / "deploy" / file).read_text(encoding="utf-8")
    assert f'proxy_set_header {header} "";' in text or f"header_up -{header}\n" in text


SECRET: Final = "s3cret-" * 6
SECRET_ADDRESSES: Final = (
    f"/sign-in/{SECRET}", f"/sign-in/{SECRET}?next=/g/x", f"/feeds/{SECRET}.atom", f"/feeds/{SECRET}.ics",
    f"/u/{SECRET}", f"/news/?ticket={SECRET}", f"/sign-in?code={SECRET}", f"/g/abc?key={SECRET}",
)  # fmt: skip


def test_s38_no_proxy_logs_an_address_that_is_a_secret():
    """S-38: nginx logs paths without queries, and nothing where the path is the secret; Caddy masks both."""
    nginx, caddy = (FILES[name].read_text(encoding="utf-8") for name in ("nginx", "caddy"))
    assert "access_log /var/log/nginx/access.log wardroom;" in nginx
    (logged,) = re.findall(r"log_format wardroom '(.*?)';", nginx, re.DOTALL)
    assert "$uri" in logged
    assert not re.search(r"\$(request|request_uri|args|query_string|http_referer)\b", logged)
    blocks = re.findall(r"location (?:~ )?(\S+) \{(.*?)\}", nginx, re.DOTALL)
    silent = [path for path, block in blocks if "access_log off" in block and "error.log crit" in block]
    assert re.search(r"location / \{\s+access_log off;[^}]+return 301", nginx)
    (pattern,) = re.findall(r'request>uri regexp "(.*)" "\$1-"', caddy)
    for address in SECRET_ADDRESSES:
        path = address.partition("?")[0]
        assert SECRET not in path or any(re.match(known, path) for known in silent), f"nginx: {address}"
        assert SECRET not in re.sub(pattern, r"\1-", address), f"Caddy: {address}"
    for address in ("/", "/g/abc", "/sign-in", "/api/v1/games/abc/moves", "/uncle"):
        assert re.sub(pattern, r"\1-", address) == address


@pytest.mark.parametrize("proxy", EACH)
def test_a_proxy_takes_its_file(proxy, tmp_path):
    words = configured(proxy, tmp_path, Ports())
    checks = [*words, "-t"] if proxy == "nginx" else [words[0], "validate", *words[2:]]
    environ = environment() | {"HOME": str(tmp_path)}
    done = subprocess.run(checks, env=environ, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert " [warn] " not in done.stderr.replace('"user" directive', "")


class Named(httpx.HTTPTransport):
    """Asks this machine for the name, which no DNS knows."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.extensions = {**request.extensions, "sni_hostname": NAME}
        return super().handle_request(request)


class Front:
    """A proxy before a service that plays by itself, and clients who come from this or that address."""

    def __init__(self, ports: Ports, certificate: Path, sink: SmtpSink, stack: ExitStack) -> None:
        self.ports, self.sink, self.stack = ports, sink, stack
        self.trusts = ssl.create_default_context(cafile=str(certificate))

    def client(self, address: str = "127.0.0.1") -> httpx.Client:
        return self.stack.enter_context(
            httpx.Client(
                base_url=f"https://127.0.0.1:{self.ports.https}", headers={"Host": NAME}, timeout=60,
                transport=Named(verify=self.trusts, local_address=address),
            )
        )  # fmt: skip


@pytest.fixture(params=EACH)
def front(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Front]:
    ports = Ports()
    (tmp_path / "proxy").mkdir()
    words = configured(request.param, tmp_path / "proxy", ports)
    with ExitStack() as stack:
        sink = stack.enter_context(SmtpSink())
        environ = environment(
            DATA_DIR=str(tmp_path / "data"), PORT=f"{ports.web}", BASE_URL=f"https://{NAME}", SMTP_URL=sink.url,
            TRUSTED_PROXIES="1",
        )  # fmt: skip
        stack.enter_context(Program(["workers.processes.embedded"], environ, tmp_path / "web.log"))
        home = environment() | {"HOME": str(tmp_path)}
        running = stack.enter_context(Program(words, home, tmp_path / "proxy.log"))
        until(lambda: answers(ports.web), "the service")
        made = Front(ports, tmp_path / "proxy" / "fullchain.pem", sink, stack)
        until(lambda: listens(ports.https) or running.process.poll() is not None, "the proxy")
        yield made


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.long
def test_people_sign_in_and_play_through_a_proxy_that_is_believed_and_no_client_is(front):
    plays_a_move(front)
    http = front.client()
    says_each_header_once(http)
    gets_cookies_for_https_alone(front.client())
    believes_no_forwarded_header_of_a_client(front)
    leads_from_http_to_https(front)
    refuses_what_is_too_large(http)
    passes_news_on_as_they_come(front)
    leads_streams_of_the_api_to_news_and_to_the_service_while_those_are_away(front)


def plays_a_move(front: Front) -> None:
    ann = Person("ann", front.client())
    ann.sign_in(front.sink)
    game = ann.post("/games", {"ruleset": "tammany-hall", "seats": 3, "bots": [{"strength": 0}, {"strength": 0}]})["id"]
    done = until(lambda: ann.get(f"/games/{game}")["awaiting"] and ann.legal_move(game), "her turn")
    assert ann.post(f"/games/{game}/moves", {"text": done})["version"] > 1
    tag = ann.send("GET", f"/games/{game}").headers["ETag"]
    assert tag.startswith('"'), "the proxy has not weakened it"


def says_each_header_once(http: httpx.Client) -> None:
    page = http.get("/sign-in", headers={"Accept-Encoding": "gzip"})
    assert page.headers.get_list("Strict-Transport-Security") == ["max-age=31536000"]
    assert page.headers.get_list("Content-Encoding") == ["gzip"]
    style = re.search(r'href="(/[^"]+\.css[^"]*)"', page.text)
    assert style is not None
    assert http.get(style[1]).headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Strict-Transport-Security" in http.get("/no-such-page").headers


def gets_cookies_for_https_alone(http: httpx.Client) -> None:
    cookies = http.get("/sign-in").headers.get_list("Set-Cookie")
    assert cookies
    assert all("; Secure" in cookie and "; HttpOnly" in cookie for cookie in cookies)


def believes_no_forwarded_header_of_a_client(front: Front) -> None:
    """Codes are counted by network: twenty from one, whatever it says of itself; and its neighbour is another."""
    cruel, other = front.client("127.0.0.3"), front.client("127.0.0.4")
    said = [
        cruel.post(
            "/api/v1/tokens",
            json={"email": "x@people.example", "code": "x", "request": "x"},
            headers={"X-Forwarded-For": f"192.0.2.{number}", "X-Forwarded-Host": "evil.example", "Forwarded": "for=x"},
        )
        for number in range(30)
    ]
    assert said[-1].status_code == 429
    assert "evil.example" not in "".join(answer.text + str(answer.headers) for answer in said)
    asked = {"email": "x@people.example", "code": "x", "request": "x"}
    assert other.post("/api/v1/tokens", json=asked).status_code != 429
    page = other.get("/", headers={"X-Forwarded-Host": "evil.example"})
    assert "evil.example" not in page.text + str(page.headers)


def leads_from_http_to_https(front: Front) -> None:
    answer = httpx.get(f"http://127.0.0.1:{front.ports.http}/games?page=2", headers={"Host": NAME})
    assert answer.status_code in (301, 308)
    assert re.fullmatch(rf"https://{NAME}(:\d+)?/games\?page=2", answer.headers["Location"])


def refuses_what_is_too_large(http: httpx.Client) -> None:
    """The service says so, in its own words; what is far too large does not reach it."""
    large = http.post("/api/v1/players", content=b"x" * 300_000)
    assert (large.status_code, large.headers["Content-Type"]) == (413, "application/problem+json")
    assert http.post("/api/v1/players", content=b"x" * 1_500_000).status_code in (413, 502)


def passes_news_on_as_they_come(front: Front) -> None:
    """A stream that says a line and waits: the line is read before the stream ends. Of what a client says of itself
    nothing reaches the service that it would believe."""
    go_on, asked = threading.Event(), []

    def speak(listening: socket.socket) -> None:
        asking, _ = listening.accept()
        with asking:
            asked.append(asking.recv(65536).decode())
            asking.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\ndata: 1\n\n"
            )
            go_on.wait(60)
            asking.sendall(b"data: 2\n\n")

    with socket.create_server(("127.0.0.1", front.ports.news)) as listening:
        speaker = threading.Thread(target=speak, args=(listening,))
        speaker.start()
        lies = {"X-Forwarded-For": "192.0.2.1", "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http"}
        with front.client().stream("GET", "/news/games?ticket=secret", headers=lies) as stream:
            lines = stream.iter_lines()
            assert next(lines) == "data: 1"
            go_on.set()
            assert [line for line in lines if line] == ["data: 2"]
        speaker.join(60)
    heard = dict(line.lower().split(": ", 1) for line in asked[0].splitlines()[1:] if line)
    assert (heard["host"], heard["x-forwarded-host"], heard["x-forwarded-proto"]) == (NAME, NAME, "https")
    assert heard["x-forwarded-for"].split(", ")[-1] == "127.0.0.1"


def leads_streams_of_the_api_to_news_and_to_the_service_while_those_are_away(front: Front) -> None:
    http, streams = front.client(), ("/api/v1/me/events", "/api/v1/games/k7x2m9qd4t/events?after=1")
    others = ("/api/v1/me", "/api/v1/me/events/x", "/api/v1/games/k7x2m9qd4t", "/api/v1/games/a/b/events")

    go_on = threading.Event()

    def speak(listening: socket.socket) -> None:
        with ExitStack() as held:
            for _ in streams:
                asking = held.enter_context(listening.accept()[0])
                asking.recv(65536)
                asking.sendall(b"HTTP/1.1 418 News\r\nConnection: close\r\n\r\n:\n\n")
            go_on.wait(60)

    for path in streams:
        assert http.get(path).status_code == 401, "nobody listens there"
    time.sleep(WITHOUT)
    with socket.create_server(("127.0.0.1", front.ports.news)) as listening:
        speaker = threading.Thread(target=speak, args=(listening,))
        speaker.start()
        with ExitStack() as opened:
            both = [opened.enter_context(http.stream("GET", path)).status_code for path in streams]
            assert both == [418, 418], "though the first of them lasts"
            go_on.set()
        assert 418 not in {http.get(path).status_code for path in others}
        speaker.join(60)
