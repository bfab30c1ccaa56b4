"""Mails made to cost: each is built here, since it is larger than what it teaches (F-46, T-57, T-58, T-59)."""

import base64
from collections.abc import Callable
from typing import Final

HEAD: Final = b"From: ann@example.org\r\nTo: mv-x@in.wardroom.example\r\nSubject: Re: x\r\n"
PLAIN: Final = HEAD + b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
HTML: Final = HEAD + b"Content-Type: text/html; charset=utf-8\r\n\r\n"


def nested(depth: int) -> bytes:
    mail = HEAD
    for level in range(depth):
        mail += b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (level, level)
    return mail + b"Content-Type: text/plain\r\n\r\nbid 30\r\n"


def flat(parts: int, part: bytes = b"Content-Type: text/plain\r\n\r\nbid 30\r\n") -> bytes:
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + (b"--b\r\n" + part) * parts + b"--b--\r\n"


def header(name: str, value: bytes, body: bytes = b"bid 30\r\n") -> bytes:
    return HEAD + name.encode() + b": " + value + b"\r\n\r\n" + body


def encoded(body: bytes, kind: bytes = b"text/plain; charset=utf-8") -> bytes:
    return (
        HEAD
        + b"Content-Type: "
        + kind
        + b"\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + base64.encodebytes(body).replace(b"\n", b"\r\n")
    )


BOMBS: Final[dict[str, tuple[Callable[[], bytes], str]]] = {
    "11 multiparts within one another": (lambda: nested(11), "poison depth"),
    "10 multiparts within one another": (lambda: nested(10), "bid 30"),
    "1,000 multiparts within one another": (lambda: nested(1000), "poison depth"),
    "63 parts": (lambda: flat(63), "bid 30"),
    "64 parts": (lambda: flat(64), "poison parts"),
    "100,000 parts": (lambda: flat(100_000, b"\r\n"), "poison parts"),
    "60 parts a name that goes on": (
        lambda: flat(60, b"Content-Type: a/b; " + b'n="; ' * 3000 + b"\r\n\r\nx\r\n"),
        "nothing",
    ),
    "100,000 lines that are nearly boundaries": (
        lambda: flat(1, b"\r\nbid 30\r\n" + b"--bb\r\n" * 100_000),
        "poison text",
    ),
    "a boundary of blanks": (
        lambda: HEAD + b'Content-Type: multipart/mixed; boundary="   "\r\n\r\nbid 30\r\n',
        "nothing",
    ),
    "2 MB and a byte": (lambda: (PLAIN + b"x" * 2_100_000)[: 2 * 1024 * 1024 + 1], "poison size"),
    "1 MB of empty lines": (lambda: PLAIN + b"bid 30\r\n" + b"\n" * 1_000_000, "bid 30"),
    "1,000 lines": (lambda: PLAIN + b"bid 30\r\n\r\n" + b"well\r\n" * 998, "bid 30"),
    "1,001 lines": (lambda: PLAIN + b"bid 30\r\n\r\n" + b"well\r\n" * 999, "poison lines"),
    "257 KB of text": (lambda: PLAIN + b"bid 30\r\n\r\n" + (b"w " * 500 + b"\r\n") * 263, "poison text"),
    "1 MB of NUL": (lambda: PLAIN + b"\0" * 1_000_000 + b"bid 30\r\n", "bid 30"),
    "1.4 MB of text in base64": (lambda: encoded(b"bid 30\n" + b"x" * 1_400_000), "poison text"),
    "1 MB of equals signs": (
        lambda: HEAD + b"Content-Transfer-Encoding: quoted-printable\r\n\r\nbid 30\r\n\r\n" + b"=" * 1_000_000,
        "poison text",
    ),
    "64 KB of one header": (lambda: header("X-Long", b"x" * 65_536), "poison headers"),
    "30,000 headers": (lambda: HEAD + b"a: b\r\n" * 30_000 + b"\r\nbid 30\r\n", "poison headers"),
    "10,000 recipients": (
        lambda: header("Cc", b", ".join(b"p%d@example.org" % n for n in range(10_000))),
        "poison headers",
    ),
    "201 recipients": (
        lambda: header("Cc", b", ".join(b"p%d@example.org" % n for n in range(200))),
        "poison recipients",
    ),
    "20 KB of quotes in From": (lambda: b"From: " + b'"' * 20_000 + b"\r\n\r\nbid 30\r\n", "from 0 in 1"),
    "3,000 open brackets in From": (lambda: b"From: " + b"(" * 3000 + b"a@b.example\r\n\r\nbid 30\r\n", "from 0 in 1"),
    "60 KB of < in From": (lambda: b"From: " + b"<" * 60_000 + b"\r\n\r\nbid 30\r\n", "from 0 in 1"),
    "60 KB of @ in From": (lambda: b"From: " + b"@a" * 30_000 + b"\r\n\r\nbid 30\r\n", "from 0 in 1"),
    "encoded words without end": (lambda: header("Subject", b"=?utf-8?q?a?= " * 4000), "bid 30"),
    "half encoded words": (lambda: header("Subject", b"=?utf-8?q?" * 6000), "bid 30"),
    "results of authentication without end": (
        lambda: header("Authentication-Results", b'mx; dkim=pass reason="\\' * 2500),
        "bid 30",
    ),
    "results of authentication with open comments": (
        lambda: header("Authentication-Results", b"mx;" + b"(" * 3900),
        "bid 30",
    ),
    "ids without end": (lambda: header("References", b"<a@b" * 15_000), "bid 30"),
    "a name in 10,000 pieces": (
        lambda: header("Content-Disposition", b"inline; " + b"; ".join(b"filename*%d*=%%41" % n for n in range(3000))),
        "nothing",
    ),
    "On On On": (lambda: PLAIN + b"On " * 80_000 + b"\r\n", "nothing"),
    "On On On, a line each": (lambda: PLAIN + b"On 2026 a@b.example\r\n" * 999, "nothing"),
    "On On On, wrote": (lambda: PLAIN + (b"On 2026 a@b.example " * 12 + b"wrote\r\n") * 999, "nothing"),
    "1,000 headers of quoted mails": (lambda: PLAIN + b"From: x\r\n" * 999, "nothing"),
    "1,000 half markers": (lambda: PLAIN + "— reply · k7x2 · k7x2 x\r\n".encode() * 999, "nothing"),
    "1,000 signs of quotation": (lambda: PLAIN + b"\r\n".join([b">" * 250] * 999), "nothing"),
    "1,000 near misses": (lambda: PLAIN + b"\r\n".join(b"sl%danders x" % n for n in range(999)), "refused"),
    "1,000 words that are no verbs": (lambda: PLAIN + b"\r\n".join(b"w%dords x" % n for n in range(999)), "nothing"),
    "1,000 cleartext signatures": (lambda: PLAIN + b"-----BEGIN PGP SIGNED MESSAGE-----\r\n" * 999, "nothing"),
    "15,000 elements within one another": (lambda: HTML + b"<div>" * 15_000 + b"bid 30", "nothing"),
    "5,000 tables within one another": (lambda: HTML + b"<table><tr><td>" * 5_000 + b"bid 30", "nothing"),
    "250 quotations within one another": (lambda: HTML + b"<blockquote>" * 240 + b"bid 30", "nothing"),
    "a table of 18,000 columns": (lambda: HTML + b"<table><tr>" + b"<td>a" * 18_000, "nothing"),
    "a table of 5,000 rows": (lambda: HTML + b"<table>" + b"<tr><td>a<td>b" * 5_000, "poison lines"),
    "a megabyte of HTML": (lambda: HTML + b"<p>a</p>" * 130_000, "poison text"),
    "half a megabyte of paragraphs": (lambda: HTML + b"<p>a" * 125_000, "poison text"),
    "half a megabyte of rules": (
        lambda: HTML + b"<style>" + b"p{display:none}" * 30_000 + b"</style><div>bid 30</div>",
        "bid 30",
    ),
    "half a megabyte of one rule": (
        lambda: HTML + b"<style>" + b".a," * 150_000 + b"</style><div>bid 30</div>",
        "bid 30",
    ),
    "half a megabyte of one style": (
        lambda: HTML + b'<div style="' + b"color:#fff;" * 40_000 + b'">bid 30</div>',
        "nothing",
    ),
    "half a megabyte of one class": (lambda: HTML + b'<div class="' + b"a " * 200_000 + b'">bid 30</div>', "bid 30"),
    "margins of 100,000 lines": (lambda: HTML + b'<p style="margin-before:100000em">bid 30</p>' * 50, "refused"),
    "entities that name entities": (
        lambda: HTML + b'<!DOCTYPE x [<!ENTITY a "&b;&b;"><!ENTITY b "&a;&a;">]><p>&a;</p><div>bid 30</div>',
        "bid 30",
    ),
    "a document that names a file": (
        lambda: (
            HTML + b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><div>bid 30</div><object data="file:///x">'
        ),
        "refused",
    ),
    "escapes of ISO-2022-JP": (
        lambda: HEAD + b"Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n" + b"\x1b$B\x1b(B" * 200_000,
        "nothing",
    ),
    "plus signs of UTF-7": (
        lambda: HEAD + b"Content-Type: text/plain; charset=utf-7\r\n\r\n" + b"+2AA-" * 40_000,
        "nothing",
    ),
    "punycode": (
        lambda: HEAD + b"Content-Type: text/plain; charset=punycode\r\n\r\n" + b"a" * 100_000 + b"-" + b"z" * 100_000,
        "nothing",
    ),
    "S/MIME within S/MIME": (
        lambda: encoded(b"\x30\x80" * 400_000, b"application/pkcs7-mime; smime-type=signed-data"),
        "encrypted",
    ),
    "S/MIME of a thousand pieces": (
        lambda: encoded(b"\x30\x80\x04\x00" * 200_000, b"application/pkcs7-mime; smime-type=signed-data"),
        "encrypted",
    ),
    "a zip of zips": (
        lambda: flat(1, b"Content-Type: application/zip; name=a.zip\r\n\r\n" + b"PK\x03\x04" * 100_000),
        "nothing",
    ),
    "nothing at all": (lambda: b"", "from 0 in 0"),
    "a line feed": (lambda: b"\n", "from 0 in 0"),
    "noise": (lambda: bytes(range(256)) * 400, "poison headers"),
}
"""By what they are: how to make them, and what becomes of them (the start of it)."""
