"""Header fields: their lines, parameters (RFC 2045, RFC 2231), encoded words (RFC 2047) and message ids.

Every function is linear in its input and raises nothing (IN-04).
"""

import binascii
import re
import unicodedata
from collections.abc import Iterable
from typing import Final
from urllib.parse import unquote_to_bytes

from workers.parsing import charsets

Fields = list[tuple[str, str]]
"""Names in lower case and unfolded values, in the order of the mail."""
NAME: Final = re.compile(rb"[!-9;-~]{1,200}\Z")
PIECE: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[^";]++|;', re.DOTALL)
WORD: Final = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?\s]*+)\?=")
ID: Final = re.compile(r"<[^<>\s]{1,240}>")
MAX_IDS: Final = 50
MAX_VALUE: Final = 4000
"""Characters of a structured value that are looked at."""


def fields(head: bytes) -> Fields:
    """The fields of a head whose lines end in LF. A line that is no field is left out, and so is what continues it."""
    found: list[tuple[str, list[bytes]]] = []
    value: list[bytes] = []
    for line in head.replace(b"\r", b"\n").split(b"\n"):
        if line[:1] in (b" ", b"\t"):
            value.append(line.strip())
            continue
        name, colon, rest = line.partition(b":")
        value = [rest.strip()]
        if colon and NAME.match(name.rstrip()):
            found.append((name.rstrip().decode("ascii").lower(), value))
    return [(name, charsets.decode(b" ".join(lines)).replace("\n", " ").strip()) for name, lines in found]


def parameters(value: str) -> tuple[str, dict[str, str]]:
    """The value and parameters of Content-Type and its like, names in lower case."""
    pieces: list[str] = [""]
    for piece in PIECE.findall(value[:MAX_VALUE]):
        if piece == ";":
            pieces.append("")
        else:
            pieces[-1] += piece
    raw: dict[str, str] = {}
    for piece in pieces[1:]:
        name, equals, text = piece.partition("=")
        if equals:
            raw.setdefault(name.strip().lower(), _unquoted(text.strip()))
    words = pieces[0].split()
    return words[0].lower() if words else "", _continued(raw)


def words(value: str) -> str:
    """Unstructured text with its encoded words decoded, those that follow one another as one."""
    text: list[str] = []
    waiting: list[tuple[str, str, bytes]] = []
    end = 0
    for match in WORD.finditer(value[:MAX_VALUE]):
        between = value[end : match.start()]
        charset, encoding = match[1].partition("*")[0].lower(), match[2].lower()
        if between.strip() or not waiting:
            text.append(_decoded(waiting))
            text.append(between)
            waiting = []
        waiting.append((charset, encoding, _word_bytes(encoding, match[3])))
        end = match.end()
    return "".join([*text, _decoded(waiting), value[end:MAX_VALUE]])


def printable(text: str, limit: int) -> str:
    """One line of at most `limit` characters, without control, bidi and other invisible characters."""
    kept = (" " if char.isspace() else char for char in text if char.isspace() or unicodedata.category(char)[0] != "C")
    return " ".join("".join(kept).split())[:limit].rstrip()


def ids(values: Iterable[str]) -> list[str]:
    """The message ids in some values, with their angle brackets, each once."""
    found = [each for value in values for each in ID.findall(value[: 4 * MAX_VALUE]) if each.isprintable()]
    return list(dict.fromkeys(found))[-MAX_IDS:]


def _unquoted(text: str) -> str:
    if text.startswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:].removesuffix('"'))
    return text.split()[0] if text else ""


def _continued(raw: dict[str, str]) -> dict[str, str]:
    """Parameters with those of RFC 2231 put together and decoded; they win over plain ones of the same name."""
    plain = {name: value for name, value in raw.items() if "*" not in name}
    for name in {name.partition("*")[0] for name in raw if "*" in name}:
        pieces = [f"{name}*"] if f"{name}*" in raw else []
        for number in range(0 if pieces else len(raw)):
            piece = next((each for each in (f"{name}*{number}*", f"{name}*{number}") if each in raw), None)
            if piece is None:
                break
            pieces.append(piece)
        if pieces:
            plain[name] = _extended([(each.endswith("*"), raw[each]) for each in pieces])
    return plain


def _extended(pieces: list[tuple[bool, str]]) -> str:
    """The text of the pieces of one parameter: (percent-encoded, text)."""
    charset = ""
    if pieces[0][0] and pieces[0][1].count("'") >= 2:
        charset, _, text = pieces[0][1].split("'", 2)
        pieces = [(True, text), *pieces[1:]]
    data = b"".join(unquote_to_bytes(text) if encoded else text.encode("utf-8", "replace") for encoded, text in pieces)
    return charsets.decode(data, charset)


def _word_bytes(encoding: str, text: str) -> bytes:
    """The bytes of one encoded word."""
    data = text.encode("utf-8", "replace")
    if encoding == "q":
        return binascii.a2b_qp(data, header=True)
    return base64(data)


def base64(data: bytes) -> bytes:
    """Base64 as far as it can be read: letters of other alphabets skipped, a missing end forgiven."""
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    if len(letters) % 4 == 1:
        letters = letters[:-1]
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def _decoded(waiting: list[tuple[str, str, bytes]]) -> str:
    """The text of encoded words in a row. Some senders cut in the middle of a character: same charset, same string."""
    text: list[str] = []
    place = 0
    while place < len(waiting):
        charset, encoding, _ = waiting[place]
        same = place
        while same < len(waiting) and waiting[same][:2] == (charset, encoding):
            same += 1
        text.append(charsets.decode(b"".join(data for _, _, data in waiting[place:same]), charset))
        place = same
    return "".join(text)
