"""OpenPGP armour in plain text (RFC 9580): a cleartext signature is taken off, an encrypted message is noticed."""

from typing import Final

SIGNED: Final = "-----BEGIN PGP SIGNED MESSAGE-----"
SIGNATURE: Final = "-----BEGIN PGP SIGNATURE-----"
END: Final = "-----END PGP SIGNATURE-----"
ENCRYPTED: Final = "-----BEGIN PGP MESSAGE-----"


def is_encrypted(text: str) -> bool:
    """Whether the text starts with an encrypted message."""
    return text.lstrip().startswith(ENCRYPTED)


def is_signed(text: str) -> bool:
    """Whether a line of the text opens a cleartext signature."""
    return any(line.rstrip() == SIGNED for line in text.split("\n"))


def bare(text: str) -> str:
    """The text without the first cleartext signature around it, its dashes unescaped (IN-27)."""
    lines = text.split("\n")
    ends = [line.rstrip() for line in lines]
    if SIGNED not in ends:
        return text
    start = ends.index(SIGNED)
    body = next((place + 1 for place in range(start, len(ends)) if not ends[place]), len(ends))
    stop = next((place for place in range(body, len(ends)) if ends[place] == SIGNATURE), len(ends))
    end = next((place + 1 for place in range(stop, len(ends)) if ends[place] == END), len(ends))
    return "\n".join([*lines[:start], *(line.removeprefix("- ") for line in lines[body:stop]), *lines[end:]])
