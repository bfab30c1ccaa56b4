"""T-67: a message to an address that a stranger gave us reaches the public address that was checked, or nobody."""

import contextlib
import gc
import socket
import ssl
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from ipaddress import IPv4Address, IPv6Address
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.engine.refusals import RuleViolation
from service.notify import endpoints
from service.notify.endpoints import Endpoint, is_public, read
from tests.ports import free_port
from tests.unreadable_dates import UNREADABLE_DATES
from tests.workers.channels.receiver import OK, Authority, Receiver, headers_of, receiver
from workers.channels import http_client
from workers.channels.http_client import MOST_READ, Answer, NotAnswered, post

PUBLIC = "93.184.216.34"
HOST = "bot.example"
METADATA = "169.254.169.254"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


class Road:
    """A resolver that answers from a list, and a dialler that leads every public address to one receiver."""

    def __init__(self, to: Receiver | None, *answers: Sequence[str]) -> None:
        self.to = to
        self.answers = list(answers)
        self.looked_up: list[str] = []
        self.dialled: list[tuple[str, int]] = []

    def resolver(self, host: str, port: int, seconds: float) -> Sequence[str]:
        self.looked_up.append(host)
        return self.answers.pop(0)

    def dialler(self, address: str, port: int, seconds: float) -> socket.socket:
        self.dialled.append((address, port))
        if self.to is None:
            raise ConnectionRefusedError
        return http_client.dial("127.0.0.1", self.to.port, seconds)


def sends(road: Road, context: ssl.SSLContext, url: str = f"https://{HOST}/turns?key=k", **more: Any) -> Answer:
    """A message along a road."""
    return post(
        read(url, frozenset()), {"webhook-id": "msg_1"}, b"{}",
        resolver=road.resolver, dialler=road.dialler, context=context, **more,
    )  # fmt: skip


def fails(road: Road, context: ssl.SSLContext, *words: Any, **more: Any) -> str:
    with pytest.raises(NotAnswered) as failed:
        sends(road, context, *words, **more)
    said = str(failed.value)
    assert not any(address in said for address in (PUBLIC, METADATA, "127.0.0.1", "key=")), "no address, no secret"
    return said


@pytest.fixture
def house(authority: Authority) -> Iterator[Callable[..., Receiver]]:
    """Start receivers with a certificate for the host; all are closed after the test."""
    made: list[Receiver] = []

    def start(script: Any = OK, host: str = HOST, **more: Any) -> Receiver:
        found = Receiver(script, authority.serving(host, **more))
        found.thread.start()
        made.append(found)
        return found

    yield start
    for one in made:
        one.close()


# What is sent


def test_s35_a_message_is_one_post_to_the_checked_address_under_the_hosts_name(house, authority):
    there = house()
    road = Road(there, [PUBLIC])
    assert sends(road, authority.trusted()) == Answer(204, None)
    (request,) = there.requests
    assert request.startswith(b"POST /turns?key=k HTTP/1.1\r\n")
    assert request.endswith(b"\r\n\r\n{}")
    headers = headers_of(request)
    assert headers["host"] == HOST
    assert headers["webhook-id"] == "msg_1"
    assert headers["connection"] == "close"
    assert there.asked_for == [HOST]
    assert (road.looked_up, road.dialled) == ([HOST], [(PUBLIC, 443)])


def test_a_port_of_its_own_stands_in_the_host_header(house, authority):
    there = house()
    road = Road(there, [PUBLIC])
    sends(road, authority.trusted(), f"https://{HOST}:8443")
    assert headers_of(there.requests[0])["host"] == f"{HOST}:8443"
    assert there.requests[0].startswith(b"POST / HTTP/1.1\r\n")
    assert road.dialled == [(PUBLIC, 8443)]


def test_no_proxy_of_the_environment_is_asked(house, authority, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert sends(Road(house(), [PUBLIC]), authority.trusted()).status == 204


@pytest.mark.parametrize("status", [200, 202, 299, 400, 404, 410, 429, 500, 503])
def test_the_status_is_told_and_the_body_is_not(house, authority, status):
    there = house(b"HTTP/1.1 %d Hm\r\nContent-Length: 6\r\n\r\nsecret" % status)
    assert sends(Road(there, [PUBLIC]), authority.trusted()) == Answer(status, None)


@pytest.mark.parametrize(
    "given, least, most",
    [
        ("120", 120, 120),
        (" 0 ", 0, 0),
        ("in an hour", 3500, 3600),
        ("Fri, 31 Dec 1999 23:59:59 GMT", 0, 0),
        ("Fri, 31 Dec 1999 23:59:59", 0, 0),
        ("-1", None, None),
        ("soon", None, None),
        ("1 Jan 99999 00:00:00 GMT", None, None),
        ("٣", None, None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(house, authority, given, least, most):
    if given == "in an hour":
        given = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    there = house(f"HTTP/1.1 503 Later\r\nRetry-After: {given}\r\nContent-Length: 0\r\n\r\n".encode())
    wait = sends(Road(there, [PUBLIC]), authority.trusted()).retry_after
    assert wait is None if least is None else least <= wait <= most


def test_rfc9110_10_2_3_a_retry_after_that_cannot_be_read_counts_as_absent(house, authority):
    """A message that was taken is not sent again because of it."""
    for date in UNREADABLE_DATES:
        there = house(f"HTTP/1.1 204 Taken\r\nRetry-After: {date}\r\n\r\n".encode())
        answer = sends(Road(there, [PUBLIC]), authority.trusted())
        assert (answer.status, answer.retry_after) == (204, None), date


# Where it goes


def test_t67_a_name_that_is_rebound_is_not_asked_a_second_time(house, authority):
    road = Road(house(), [PUBLIC], ["127.0.0.1"])
    assert sends(road, authority.trusted()).status == 204
    assert road.dialled == [(PUBLIC, 443)], "only the address that was checked"
    assert fails(road, authority.trusted()) == http_client.NO_ADDRESS
    assert road.dialled == [(PUBLIC, 443)]


@pytest.mark.parametrize(
    "answers",
    [
        ["127.0.0.1"], [METADATA], ["10.1.2.3"], ["100.64.0.1"], ["0.0.0.0"], ["::1"], ["::ffff:127.0.0.1"],
        ["fe80::1%eth0"], ["fd00:ec2::254"], ["64:ff9b::a9fe:a9fe"], ["2002:7f00:1::1"], [], ["nonsense"],
        [PUBLIC, "127.0.0.1"], [METADATA, PUBLIC], ["2606:2800:220:1::1", "fc00::1"],
    ],
)  # fmt: skip
def test_t67_every_address_of_a_name_must_be_public(authority, answers):
    road = Road(None, answers)
    assert fails(road, authority.trusted()) == http_client.NO_ADDRESS
    assert road.dialled == []


def test_t67_a_name_nobody_knows_and_one_that_leads_inside_are_told_alike(authority):
    assert fails(Road(None, []), authority.trusted()) == fails(Road(None, ["10.0.0.5"]), authority.trusted())


@pytest.mark.parametrize(
    "host", ["2130706433", "0x7f.1", "0x7f000001", "017700000001", "127.1", "localhost", "localhost."]
)
def test_t67_a_spelling_of_this_machine_is_looked_up_and_its_address_is_not_public(host, authority):
    endpoint = Endpoint(True, host, 443, "/", trusted=False)
    with pytest.raises(NotAnswered, match=http_client.NO_ADDRESS):
        post(endpoint, {}, b"{}", context=authority.trusted(), dialler=Road(None).dialler)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_t67_a_redirect_to_the_metadata_service_is_an_answer_and_is_not_followed(house, authority, status):
    location = f"http://{METADATA}/latest/meta-data/"
    there = house(f"HTTP/1.1 {status} Away\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode())
    road = Road(there, [PUBLIC])
    assert sends(road, authority.trusted()).status == status
    assert road.dialled == [(PUBLIC, 443)]
    assert len(there.requests) == 1


def test_the_next_address_is_tried_where_one_cannot_be_connected_to(house, authority):
    there = house()
    road = Road(there, ["2606:2800:220:1::1", PUBLIC])
    inner = road.dialler

    def dialler(address: str, port: int, seconds: float) -> socket.socket:
        assert seconds <= 5 / (1 if address == PUBLIC else 2), "none uses up the time of the next"
        if ":" in address:
            road.dialled.append((address, port))
            raise OSError("no route")
        return inner(address, port, seconds)

    road.dialler = dialler  # type: ignore[method-assign]
    assert sends(road, authority.trusted()).status == 204
    assert road.dialled == [("2606:2800:220:1::1", 443), (PUBLIC, 443)]


def test_no_more_than_four_addresses_are_tried(authority):
    road = Road(None, [f"93.184.216.{n}" for n in range(1, 20)])
    assert fails(road, authority.trusted()) == "the connection was refused"
    assert len(road.dialled) == 4


def test_what_the_host_of_the_server_allows_may_be_private_and_plain():
    with receiver() as there:
        allowed = frozenset({("127.0.0.1", there.port), ("localhost", there.port)})
        for host in ("127.0.0.1", "localhost"):
            assert post(read(f"http://{host}:{there.port}/x", allowed), {}, b"{}").status == 204
        assert headers_of(there.requests[0])["host"] == f"127.0.0.1:{there.port}"
        with pytest.raises(NotAnswered, match=http_client.NO_ADDRESS):
            post(Endpoint(False, "127.0.0.1", there.port, "/", trusted=False), {}, b"{}")
        assert len(there.requests) == 2


# Who is there


def test_t67_a_certificate_of_another_host_is_not_accepted(house, authority):
    there = house(host="other.example")
    assert "certificate is not accepted: Hostname mismatch" in fails(Road(there, [PUBLIC]), authority.trusted())
    assert there.requests == []


def test_t67_a_certificate_that_has_expired_is_not_accepted(house, authority):
    there = house(expired=True)
    assert "its certificate is not accepted: certificate has expired" in fails(
        Road(there, [PUBLIC]), authority.trusted()
    )


def test_t67_a_certificate_nobody_vouches_for_is_not_accepted(house):
    there = house()
    assert "its certificate is not accepted: " in fails(Road(there, [PUBLIC]), http_client.trust())
    assert there.requests == []


def test_a_certificate_of_an_ip_address_is_accepted_for_that_address_alone(house, authority):
    there = house(host=PUBLIC)
    road = Road(there)
    assert sends(road, authority.trusted(), f"https://{PUBLIC}/").status == 204
    assert road.looked_up == [], "an address is not looked up"
    assert "not accepted" in fails(road, authority.trusted(), "https://93.184.216.35/")


def test_a_receiver_without_tls_is_not_talked_to(authority):
    with receiver(lambda there: there.sendall(b"HTTP/1.1 400 What?\r\n\r\n"), wire=True) as there:
        assert fails(Road(there, [PUBLIC]), authority.trusted()) == "TLS could not be agreed upon"


def test_old_tls_and_strangers_certificates_are_not_taken():
    trusted = http_client.trust()
    assert trusted.minimum_version == ssl.TLSVersion.TLSv1_2
    assert (trusted.check_hostname, trusted.verify_mode) == (True, ssl.CERT_REQUIRED)


# How long, and how much


def never(there: socket.socket) -> None:
    there.settimeout(60)
    with contextlib.suppress(OSError):  # which it was told until it is left
        while there.recv(1024):
            pass


def drips(first: bytes) -> Callable[[socket.socket], None]:
    """A byte now and then, for ever."""

    def script(there: socket.socket) -> None:
        there.sendall(first)
        while True:
            there.sendall(b"x")
            time.sleep(0.1)

    return script


def soon(act: Callable[[], Any]) -> Any:
    """The result of an act that ends by itself, also on a busy machine, long before the other side would end it."""
    began = time.monotonic()
    found = act()
    assert time.monotonic() - began < 30
    return found


@pytest.mark.parametrize(
    "script", [never, drips(b""), drips(b"HTTP/1.1 200 OK\r\nX-Long: "), drips(b"HTTP/1.1 100 Continue\r\n")]
)
def test_t67_who_does_not_answer_in_time_is_given_up_however_busy_they_seem(house, authority, script):
    road = Road(house(script), [PUBLIC])
    said = soon(lambda: fails(road, authority.trusted(), seconds=0.6))
    assert said == "no answer within 0.6 seconds"


def test_t67_who_does_not_begin_tls_is_given_up(authority):
    with receiver(never, wire=True) as there:
        road = Road(there, [PUBLIC])
        assert soon(lambda: fails(road, authority.trusted(), seconds=0.5)) == "no answer within 0.5 seconds"


def test_t67_a_body_that_never_ends_is_left_when_the_time_is_over_and_the_status_counts(house, authority):
    road = Road(house(drips(b"HTTP/1.1 200 OK\r\n\r\n")), [PUBLIC])
    assert soon(lambda: sends(road, authority.trusted(), seconds=0.6)).status == 200


def test_t67_the_name_service_has_no_more_time_than_all_the_rest(authority, monkeypatch):
    asleep = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [asleep.wait(60)][1:])
    road = Road(None)
    road.resolver = http_client.look_up  # type: ignore[method-assign]
    assert soon(lambda: fails(road, authority.trusted(), seconds=0.5)) == "no answer within 0.5 seconds"
    asleep.set()
    assert road.dialled == []


class Flood:
    """Sends as much as it is asked for, and counts what it got rid of."""

    def __init__(self, first: bytes, total: int) -> None:
        self.first = first
        self.total = total
        self.sent = 0
        self.over = threading.Event()

    def __call__(self, there: socket.socket) -> None:
        try:
            there.sendall(self.first)
            while self.sent < self.total:
                there.sendall(b"x" * 16_384)
                self.sent += 16_384
        finally:
            self.over.set()


@pytest.mark.parametrize("first", [b"HTTP/1.1 200 OK\r\nContent-Length: 10485760\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_t67_of_ten_megabytes_no_more_than_64_kilobytes_are_read(house, authority, first, monkeypatch):
    flood = Flood(first, 10 * 1024 * 1024)
    read_ = []
    readinto = http_client._BoundedSocketReader.readinto
    monkeypatch.setattr(
        http_client._BoundedSocketReader,
        "readinto",
        lambda ear, buffer: read_.append(readinto(ear, buffer)) or read_[-1],
    )
    assert sends(Road(house(flood), [PUBLIC]), authority.trusted()).status == 200
    assert sum(read_) == MOST_READ
    assert flood.over.wait(60)
    assert flood.sent < flood.total


@pytest.mark.parametrize("first", [b"HTTP/1.1 200 OK\r\nX-Long: ", b""])
def test_t67_headers_without_end_are_no_http(house, authority, first):
    assert fails(Road(house(Flood(first, 10**6)), [PUBLIC]), authority.trusted()) == "what came back is no HTTP"


@pytest.mark.parametrize(
    "bytes_, said",
    [
        (b"", "the connection was closed without an answer"),
        (b"220 mail.example ESMTP\r\n", "what came back is no HTTP"),
        (b"HTTP/1.1 abc OK\r\n\r\n", "what came back is no HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n", "what came back is no HTTP"),
    ],
)
def test_what_is_no_answer_is_told_in_words(house, authority, bytes_, said):
    assert fails(Road(house(bytes_), [PUBLIC]), authority.trusted()) == said


@pytest.mark.parametrize(
    "rest",
    [
        b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx",
        b"Content-Length: 99\r\n\r\nx",
        b"Content-Length: -5\r\n\r\nx",
        b"Content-Length: " + b"9" * 5000 + b"\r\n\r\nx",
        b"Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x00",
    ],
)
def test_a_body_that_makes_no_sense_changes_nothing(house, authority, rest):
    there = house(b"HTTP/1.1 200 OK\r\n" + rest)
    assert sends(Road(there, [PUBLIC]), authority.trusted()).status == 200


def test_who_refuses_or_cannot_be_reached_is_told_in_words(authority):
    assert fails(Road(None, [PUBLIC]), authority.trusted()) == "the connection was refused"
    road = Road(None, [PUBLIC])

    def nowhere(address: str, port: int, seconds: float) -> socket.socket:
        raise OSError(113, "No route to host")

    road.dialler = nowhere  # type: ignore[method-assign]
    assert fails(road, authority.trusted()) == "it cannot be reached"


def test_connections_are_closed_whatever_happens(house, authority):
    opened: list[socket.socket] = []
    for script in (OK, b"", b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100_000, b"no HTTP\r\n"):
        road = Road(house(script), [PUBLIC])
        inner = road.dialler
        road.dialler = lambda *given, inner=inner: opened.append(inner(*given)) or opened[-1]  # type: ignore
        with contextlib.suppress(NotAnswered):
            sends(road, authority.trusted())
    road.to = house(host="other.example")
    road.answers = [[PUBLIC]]
    fails(road, authority.trusted())
    assert len(opened) == 5
    assert all(one.fileno() == -1 for one in opened)


def test_a_connection_that_is_made_too_late_or_not_at_all_is_closed(house, authority):
    opened: list[socket.socket] = []
    road = Road(house(), [PUBLIC])
    inner = road.dialler

    def late(*given: Any) -> socket.socket:
        opened.append(inner(*given))
        time.sleep(0.2)
        return opened[-1]

    road.dialler = late  # type: ignore[method-assign]
    assert fails(road, authority.trusted(), seconds=0.1) == "no answer within 0.1 seconds"
    assert opened[0].fileno() == -1
    with warnings.catch_warnings(record=True) as left_open:
        warnings.simplefilter("always")
        with pytest.raises(ConnectionRefusedError):
            http_client.dial("127.0.0.1", free_port(), 1)
        gc.collect()
    assert left_open == []


# Which addresses are public

NOT_PUBLIC = """
    0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254 168.63.129.16
    169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1
    198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    :: ::1 ::7f00:1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:a9fe:a9fe 64:ff9b::7f00:1 64:ff9b::169.254.169.254
    64:ff9b::10.0.0.1 64:ff9b:1::808:808 100::1 2001::1 2001:0:7f00:1::1 2001:10::1 2001:db8::1 2002:7f00:1::
    2002:808:808::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 2606:4700::1%eth0 fec0::1 ff02::1
    127.1 0x7f.0.0.1 0177.0.0.1 2130706433 127.0.0.1. 08.8.8.8 localhost ::ffff:0:127.0.0.1
""".split()


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_t67_these_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    "1.1.1.1 8.8.8.8 93.184.216.34 100.63.255.255 100.128.0.0 169.253.255.255 172.15.255.255 172.32.0.0 192.0.1.0 "
    "198.17.255.255 198.20.0.0 223.255.255.255 2606:4700::1 2001:200::1 2a00:1450::1 64:ff9b::8.8.8.8".split(),
)
def test_these_are_public(address):
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_t67_an_ipv4_address_in_another_form_is_public_at_most_where_it_is_itself(address: IPv4Address):
    number = int(address)
    public = is_public(str(address))
    assert not public or (address.is_global and not address.is_multicast and not address.is_reserved)
    assert is_public(str(IPv6Address((0x64FF9B << 96) | number))) == public
    for prefix in (0, 0xFFFF << 32, 0xFFFF << 48, (0x2002 << 112) | (number << 80), (0x20010000 << 96)):
        assert not is_public(str(IPv6Address(prefix | number)))


@given(st.ip_addresses(v=6))
def test_t67_an_ipv6_address_is_public_only_where_python_thinks_so_too(address: IPv6Address):
    assert not is_public(str(address)) or (address.is_global and not address.is_multicast)


# Which addresses may be registered

REFUSED = {
    "https://": ["ftp://bot.example/", "http://bot.example/", "bot.example", "//bot.example", "", "javascript:1",
                 "https://[::1", "https://bot.example:99999/", "https://bot.example:x/", "http://127.0.0.1:9001/"],
    "at most 500": ["https://bot.example/" + "x" * 481],
    "percent-encoded": ["https://bot.example/a b", "https://bot.example/\t", "https://bot.example/é", "https://b\\a.example",
                        "https://bot.example/\x00", "https://bot.example/?q=ü", "https://bot.example/\u202e",
                        " https://bot.example/", "https://bot.example/\n", "https://good.example\\@127.0.0.1/"],
    "name and password": ["https://u@bot.example/", "https://u:p@bot.example/", "https://@bot.example/",
                          "https://bot.example@8.8.8.8/"],
    "# sign": ["https://bot.example/#", "https://bot.example/x#y"],
    "public name": ["https://localhost/", "https://localhost./", "https://bot.example./", "https://2130706433/",
                    "https://0x7f.1/", "https://0x7f000001/", "https://017700000001/", "https://127.1/",
                    "https://127.0.0.1/", "https://10.0.0.1/", "https://[::1]/", "https://[::ffff:8.8.8.8]/",
                    "https://[2606:4700::1%25eth0]/", "https://169.254.169.254/latest", "https:///x", "https:x",
                    "https://bot/", "https://a_b.example/", "https://-a.example/", "https://a-.example/", "https://.example/",
                    "https://a..example/", "https://faß.de/", "https://１２７.0.0.1/", "https://ⓛocalhost.example/",
                    f"https://{'a' * 64}.example/", f"https://{'a.' * 126}example/", "https://1.2.3.4.5/", "https://a.1/"],
    "port 443": ["https://bot.example:22/", "https://bot.example:80/", "https://bot.example:0/", "https://bot.example:1023/"],
}  # fmt: skip
ALLOWED = frozenset({("127.0.0.1", 9000), ("bots", 80), ("::1", 9000)})


@pytest.mark.parametrize("words, url", [(words, url) for words, urls in REFUSED.items() for url in urls])
def test_s35_an_address_that_cannot_be_told_is_refused_in_a_sentence(words, url):
    with pytest.raises(RuleViolation) as refused:
        read(url, ALLOWED)
    assert refused.value.code == "bad-webhook-url"
    assert words in str(refused.value.message)


@pytest.mark.parametrize(
    "url, expected",
    [
        ("https://bot.example", Endpoint(True, "bot.example", 443, "/", False)),
        ("HTTPS://Bot.Example:443/A?b=C", Endpoint(True, "bot.example", 443, "/A?b=C", False)),
        ("https://bot.example:1024?x", Endpoint(True, "bot.example", 1024, "/?x", False)),
        ("https://bücher.example/", Endpoint(True, "xn--bcher-kva.example", 443, "/", False)),
        ("https://bu\u0308cher.example/", Endpoint(True, "xn--bcher-kva.example", 443, "/", False)),
        ("https://8.8.8.8/", Endpoint(True, "8.8.8.8", 443, "/", False)),
        ("https://[2606:4700:0::1]/", Endpoint(True, "2606:4700::1", 443, "/", False)),
        ("https://127.0.0.1:9000/", Endpoint(True, "127.0.0.1", 9000, "/", True)),
        ("http://127.0.0.1:9000/", Endpoint(False, "127.0.0.1", 9000, "/", True)),
        ("http://[0::1]:9000/", Endpoint(False, "::1", 9000, "/", True)),
        ("http://BOTS/", Endpoint(False, "bots", 80, "/", True)),
        ("https://bot.example/" + "x" * 480, Endpoint(True, "bot.example", 443, "/" + "x" * 480, False)),
    ],
)
def test_an_address_is_taken_apart(url, expected):
    assert read(url, ALLOWED) == expected


@given(st.text(max_size=60).map(lambda text: f"https://{text}"))
def test_any_text_is_an_address_that_can_be_sent_or_is_refused(text):
    try:
        found = read(text, frozenset())
    except RuleViolation:
        return
    assert found.tls
    assert not found.trusted
    assert f"{found.host}{found.target}".isascii()
    assert not set(f"{found.host}{found.target}") & set(" \r\n\t\x00\\@#")
    assert "." in found.host or ":" in found.host
    assert endpoints.ip(found.host) is None or is_public(found.host)
