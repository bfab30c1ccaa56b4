"""Addresses in headers (RFC 5322), read so that a From of two meanings never looks like a From of one (IN-28)."""

import re
from itertools import pairwise
from typing import Final, NamedTuple

PIECE: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?|\\.|[<>,;:()]|[^"\\<>,;:()]++|\\', re.DOTALL)
SPEC: Final = re.compile(r"[^\s<>@]{1,250}@[^\s<>@]{1,255}")


class Addresses(NamedTuple):
    """The addr-specs of a header, as written; `grouped` if there is a group among them."""

    specs: list[str]
    grouped: bool


def addresses(value: str) -> Addresses:
    """The addr-specs of a header. One without angle brackets before one within them counts too, if it differs."""
    specs: list[str] = []
    grouped = False
    phrase = angle = ""
    has_angle = in_angle = False
    comment = 0
    pieces = PIECE.findall(value)
    for piece, following in pairwise([*pieces, ",", ""]):
        if comment:
            comment += (piece == "(") - (piece == ")")
        elif piece == "(":
            comment = 1
            phrase += " "
        elif piece == "<":
            in_angle = has_angle = True
            angle += " "
        elif piece == ">":
            in_angle = False
        elif piece == "," or (piece == ";" and not in_angle):
            specs += _mailbox(phrase, angle, has_angle)
            phrase = angle = ""
            has_angle = in_angle = False
        elif in_angle:
            angle += piece
        elif piece == ":":
            grouped = True
            phrase = ""
        elif piece.startswith('"') and not following.startswith("@"):
            phrase += " "
        else:
            phrase += piece
    return Addresses(specs + _mailbox(phrase, angle, has_angle), grouped)


def _mailbox(phrase: str, angle: str, has_angle: bool) -> list[str]:
    """What one mailbox may mean: the address in angle brackets, and others that stand unquoted beside it."""
    outside = [each for each in phrase.split() if SPEC.fullmatch(each)]
    if not has_angle:
        return outside
    inside = [each for each in angle.split() if SPEC.fullmatch(each)]
    return inside + [each for each in outside if each.casefold() not in {spec.casefold() for spec in inside}]
