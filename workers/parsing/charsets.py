"""From bytes to text when the mail says one charset, another, or none (IN-05)."""

import codecs
import re
from typing import Final

WIDER: Final = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "big5": "cp950",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
}
"""Codecs by what senders mean who declare them: the superset of the system they write on."""
SPELLINGS: Final = {
    "ks_c_5601": "cp949",
    "ks_c_5601_1987": "cp949",
    "ksc5601": "cp949",
    "x_gbk": "gb18030",
    "x_sjis": "cp932",
    "iso_8859_8_i": "iso8859-8",
    "iso_8859_8_e": "iso8859-8",
    "unicode_1_1_utf_7": "utf-7",
    "utf8mb4": "utf-8",
    "x_user_defined": "cp1252",
}
"""Charsets Python does not know by the names mails use."""
TEXT_CODEC: Final = re.compile(
    r"ascii|utf-|iso8859|iso2022|cp\d|koi8|gb|big5|euc_|shift_jis|johab|hz|mac-|tis-620|ptcp|viscii|kz1048|hp-roman"
)
"""Codecs that hold the text of mails; `punycode` and its like only cost time."""
MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
LINE_ENDS: Final = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
UNSOUND: Final = re.compile("[\x00\ud800-\udfff]")


def decode(data: bytes, declared: str = "") -> str:
    """Text of bytes: declared charset, UTF-8, windows-1252, and at last whatever can be replaced. Never raises.

    NUL and lone surrogates are gone, and every line ends in a line feed (IN-07).
    """
    marked = [codec for mark, codec in MARKS if data.startswith(mark)]
    for codec in (*marked[:1], _codec(declared), "utf-8", "cp1252"):
        try:
            return clean(_iso_2022_jp(data) if codec == "iso2022_jp" else data.decode(codec or "utf-8"))
        except (UnicodeError, LookupError, ValueError):
            continue
    return clean(data.decode("cp1252", "replace"))


def clean(text: str) -> str:
    """Text that any sink can hold: no NUL, no lone surrogate, lines ended by a line feed alone."""
    return UNSOUND.sub("", LINE_ENDS.sub("\n", text))


def _codec(declared: str) -> str:
    """The codec for a declared charset, "" if it is none a mail can mean."""
    name = declared.strip().strip("'\"").lower().replace("-", "_")
    if not re.fullmatch(r"[a-z0-9_.:+]{1,40}", name):
        return ""
    if name in SPELLINGS:
        return SPELLINGS[name]
    try:
        found = codecs.lookup(name).name
    except LookupError:
        return ""
    return WIDER.get(found, found) if TEXT_CODEC.match(found) else ""


def _iso_2022_jp(data: bytes) -> str:
    """ISO-2022-JP with the characters of Microsoft's variant: read as Shift JIS, segment by segment. May raise."""
    first, *segments = data.split(b"\x1b")
    text = [first.decode("ascii")]
    for segment in segments:
        escape, rest = segment[:2], segment[2:]
        match escape:
            case b"$@" | b"$B":
                text.append(_shifted(rest))
            case b"(B" | b"(J":
                text.append(rest.decode("ascii"))
            case b"(I":
                text.append(bytes(byte | 0x80 for byte in rest).decode("cp932"))
            case _:
                return data.decode("iso2022_jp_ext")
    return "".join(text)


def _shifted(rows: bytes) -> str:
    """Text of pairs of JIS X 0208; line ends may stand between them."""
    shifted = bytearray()
    place = 0
    while place < len(rows):
        row = rows[place]
        if row < 0x21:
            shifted.append(row)
            place += 1
            continue
        cell = rows[place + 1] if place + 1 < len(rows) else 0
        shifted.append(((row + 1) >> 1) + (0x70 if row < 0x5F else 0xB0))
        shifted.append(cell + (0x7E if row % 2 == 0 else 0x20 if cell >= 0x60 else 0x1F))
        place += 2
    return shifted.decode("cp932")
