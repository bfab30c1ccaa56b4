"""The file of one game in a record: an artefact on each line, compressed."""

import lzma
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import msgspec

KINDS: Final = ("export", "position", "answer", "mail", "page")


class Artefact(msgspec.Struct, omit_defaults=True):
    """One thing that the service said. `name` says when and to whom; it is unique within its kind and game."""

    kind: str
    name: str
    text: str = ""
    status: int = 0
    headers: list[tuple[str, str]] = []
    same: int | None = None
    """The line, from 0, of an earlier artefact with this very text."""


class Shelf:
    """The artefacts of one game, in their order. A text that occurs again is stored once."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._known: dict[bytes, int] = {}
        self._names: Counter[tuple[str, str]] = Counter()

    def put(self, kind: str, name: str, text: bytes, status: int = 0, headers: list[tuple[str, str]] = []) -> None:  # noqa: B006
        """Add an artefact."""
        digest = blake2b(text, digest_size=16).digest()
        first = self._known.setdefault(digest, len(self._lines))
        is_new = first == len(self._lines)
        said = text.decode("utf-8", "surrogateescape").encode("utf-8", "backslashreplace").decode() if is_new else ""
        self._names[kind, name] += 1
        name += f" #{times}" if (times := self._names[kind, name]) > 1 else ""
        artefact = Artefact(kind, name, said, status, headers, None if is_new else first)
        self._lines.append(msgspec.json.encode(artefact))

    def write(self, path: Path) -> None:
        """Write the file of the game. The same artefacts give the same bytes."""
        path.write_bytes(lzma.compress(b"\n".join(self._lines), preset=1))


def read(path: Path) -> Iterator[Artefact]:
    """Yield the artefacts of a game, each with its text."""
    texts: list[str] = []
    for line in lzma.decompress(path.read_bytes()).split(b"\n"):
        artefact = msgspec.json.decode(line, type=Artefact)
        artefact.text = artefact.text if artefact.same is None else texts[artefact.same]
        texts.append(artefact.text)
        yield artefact


def describe(request: Any) -> str:
    """A request's body, short enough for the name of its answer."""
    text = msgspec.json.encode(request).decode() if request is not None else ""
    return text if len(text) <= 120 else f"{text[:100]}… {blake2b(text.encode(), digest_size=4).hexdigest()}"
