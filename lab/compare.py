"""`python -m lab.compare OLD NEW [--allow FILE]`: find two records equal, but for named differences.

FILE is TOML, with a table for each difference. It is applied to both sides of artefacts that differ:

    [[difference]]
    name = "shorter subjects"
    why = "issue 40 shortens the subjects of letters"
    kinds = ["mail"]               # of export, position, answer, mail, page; all if left out
    pattern = "(?m)^Subject: .*"   # one of these: a regular expression and its replacement,
    replacement = "Subject:"
    header = "ETag"                #   a header to drop,
    json = "game.seats.*.strikes"  #   a member of JSON documents to drop; * is any,
    builtin = "ids"                #   or ids, hashes, salts, assets: numbered as they first appear in a game
"""

import argparse
import json
import lzma
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from lab.record.shelf import KINDS, Artefact, read

ID: Final = "[0-9a-hjkmnp-tv-z]"
BUILTIN: Final = {
    "ids": rf"(?<=X-Request-Id: )\w+|(?<=\"cause\":\")\w+|(?<=/u/)[\w.-]+|(?<=%2[3F]){ID}{{10}}\b"
    rf"|\b(?:wr_[\w-]{{43}}|[pwktd]_{ID}{{12}}|(?=[a-z]*\d)(?:{ID}{{10}}|{ID}{{16}})|\d{{9,12}}|{ID}{{33}}|[0-9a-f]{{12}})\b",
    "hashes": r"\b(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128}|(?:[0-9A-Z]{5}-){5}[0-9A-Z])\b"
    r"|(?<=signature=)[0-9a-f]+(?:\s+[0-9a-f]+)*",
    "salts": r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])",
    "assets": r"(?<=/assets/)[0-9a-f]{12}\b",
}
SOFT_BREAK: Final = re.compile("=\r?\n")
PLACES: Final = 3
LINES: Final = 24


class Unreadable(Exception):
    """An input that is not a record, or not a list of differences."""


class Difference(msgspec.Struct, forbid_unknown_fields=True):
    """A named difference, and what takes it away."""

    name: str
    why: str
    kinds: tuple[str, ...] = KINDS
    pattern: str | None = None
    replacement: str = ""
    header: str | None = None
    json: str | None = None
    builtin: str | None = None

    def __post_init__(self) -> None:
        given = [each for each in (self.pattern, self.header, self.json, self.builtin) if each is not None]
        if len(given) != 1:
            raise ValueError(f"“{self.name}” must have one of pattern, header, json, builtin")
        if strange := {*self.kinds} - {*KINDS}:
            raise ValueError(f"“{self.name}” names the kind {min(strange)}: there are {', '.join(KINDS)}")
        if self.builtin is not None and self.builtin not in BUILTIN:
            raise ValueError(f"“{self.name}” names the builtin {self.builtin}: there are {', '.join(BUILTIN)}")
        try:
            re.compile(self.pattern or "")
        except re.error as error:
            raise ValueError(f"the pattern of “{self.name}” cannot be read: {error}") from error

    def apply(self, artefact: Artefact, known: dict[str, str]) -> Artefact:
        """Return the artefact without this difference; `known` numbers what was seen in the game."""
        text, headers = artefact.text, artefact.headers
        if self.header is not None:
            headers = [(key, value) for key, value in headers if key.lower() != self.header.lower()]
        elif self.json is not None:
            text = "\n".join(_without(line, self.json.split(".")) for line in text.split("\n"))
        elif self.builtin is not None:
            text = SOFT_BREAK.sub("", text) if artefact.kind == "mail" else text
            headers = [
                (key, _numbered(self.builtin, f"{key}: {value}", known)[len(key) + 2 :]) for key, value in headers
            ]
            text = _numbered(self.builtin, text, known)
        elif self.pattern is not None:
            text = re.sub(self.pattern, self.replacement, text)
        return Artefact(artefact.kind, artefact.name, text, artefact.status, headers)


def _numbered(builtin: str, text: str, known: dict[str, str]) -> str:
    return re.sub(BUILTIN[builtin], lambda hit: known.setdefault(hit[0], f"<{builtin} {len(known)}>"), text)


def _without(line: str, path: list[str]) -> str:
    try:
        document = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return line
    _drop(document, path)
    return msgspec.json.encode(document).decode()


def _drop(document: Any, path: list[str]) -> None:
    first, *rest = path
    if isinstance(document, list):
        inside = [document[int(first)]] if first.isdecimal() and int(first) < len(document) else document
        for member in inside if first == "*" or first.isdecimal() else ():
            _drop(member, rest) if rest else None
    elif isinstance(document, dict):
        for key in [key for key in document if first in (key, "*")]:
            _drop(document[key], rest) if rest else document.pop(key)


class Comparison:
    """The comparison of two records: counts of equal artefacts, and the differences."""

    def __init__(self, differences: list[Difference]) -> None:
        self.differences = differences
        self.numbers_ids = any(difference.builtin == "ids" for difference in differences)
        self.equal: Counter[str] = Counter()
        self.used: Counter[str] = Counter()
        self.places: dict[str, list[str]] = defaultdict(list)
        self.found: Counter[str] = Counter()

    def compare(self, old: Path, new: Path) -> None:
        """Compare two folders."""
        games = [{path.name: path for path in sorted(folder.glob("*.jsonl.xz"))} for folder in (old, new)]
        for folder, found in zip((old, new), games, strict=True):
            if not found:
                raise Unreadable(f"{folder} is not a record: it has no *.jsonl.xz")
        for name in sorted(games[0].keys() | games[1].keys()):
            if name not in games[0] or name not in games[1]:
                self._note(f"game only in {'OLD' if name in games[0] else 'NEW'}", name, ())
            else:
                self._compare_games(name.partition(".")[0], games[0][name], games[1][name])

    def _compare_games(self, game: str, old: Path, new: Path) -> None:
        if old.read_bytes() == new.read_bytes():
            self.equal.update(artefact.kind for artefact in read(old))
            return
        sides = [self._by_name(old), self._by_name(new)]
        known: list[dict[str, str]] = [{}, {}]
        for key in [*sides[0], *(key for key in sides[1] if key not in sides[0])]:
            pair = [side.get(key) for side in sides]
            if pair[0] is None or pair[1] is None:
                self._note(f"{key[0]} only in {'NEW' if pair[0] is None else 'OLD'}", f"{game} {key[1]}", ())
                continue
            self._compare_pair(game, key[1], pair[0], pair[1], known)

    def _by_name(self, path: Path) -> dict[tuple[str, str], Artefact]:
        try:
            artefacts = list(read(path))
        except (EOFError, lzma.LZMAError, msgspec.MsgspecError, OSError) as error:
            raise Unreadable(f"{path} cannot be read: {error}") from error
        known: dict[str, str] = {}
        if self.numbers_ids:
            for artefact in artefacts:
                artefact.name = _numbered("ids", artefact.name, known)
        return {(artefact.kind, artefact.name): artefact for artefact in artefacts}

    def _compare_pair(self, game: str, name: str, old: Artefact, new: Artefact, known: list[dict[str, str]]) -> None:
        for difference in self.differences:
            if _content(old) == _content(new):
                break
            if old.kind in difference.kinds:
                pair = difference.apply(old, known[0]), difference.apply(new, known[1])
                is_used = (_content(pair[0]), _content(pair[1])) != (_content(old), _content(new))
                self.used[difference.name] += is_used
                old, new = pair
        if _content(old) == _content(new):
            self.equal[old.kind] += 1
            return
        changed = [what for what in ("status", "headers", "text") if getattr(old, what) != getattr(new, what)]
        lines = unified_diff([*_lines(old)], [*_lines(new)], "OLD", "NEW", lineterm="", n=1)
        self._note(f"{old.kind}: {changed[0]}", f"{game} {name}", islice(lines, 2, LINES))

    def _note(self, what: str, place: str, lines: Any) -> None:
        self.found[what] += 1
        if self.found[what] <= PLACES:
            self.places[what].append("\n".join([f"  {place}", *(f"    {line[:300]}" for line in lines)]))

    def report(self) -> Iterator[str]:
        """Yield the lines of the report."""
        equal = ", ".join(f"{self.equal[kind]} {kind}s" for kind in KINDS)
        yield f"equal: {self.equal.total()} artefacts ({equal})"
        for what, count in self.found.items():
            yield f"{what}: {count}"
            yield from self.places[what]
        for difference in self.differences:
            count = self.used[difference.name]
            yield f"{difference.name}: {f'used {count} times' if count else 'unused, take it out'} ({difference.why})"


def _content(artefact: Artefact) -> tuple[int, list[tuple[str, str]], str]:
    return artefact.status, artefact.headers, artefact.text


def _lines(artefact: Artefact) -> Iterator[str]:
    yield f"status {artefact.status}"
    yield from (f"{key}: {value}" for key, value in artefact.headers)
    for line in artefact.text.splitlines():
        try:
            yield from json.dumps(json.loads(line), indent=1, ensure_ascii=False).splitlines()
        except ValueError:
            yield line


def read_differences(path: Path) -> list[Difference]:
    """Read a list of named differences. Raises Unreadable."""
    try:
        document = tomllib.loads(path.read_text("utf-8"))
        return msgspec.convert(document, dict[str, list[Difference]])["difference"]
    except (OSError, ValueError, msgspec.ValidationError, KeyError) as error:
        raise Unreadable(f"{path} is not a list of [[difference]]: {error}") from error


def main(words: list[str] | None = None) -> int:
    """Compare two records. Returns 1 if they differ by more than what is named, 2 if they cannot be compared."""
    parser = argparse.ArgumentParser(prog="python -m lab.compare", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--allow", type=Path, help="a TOML file of named differences")
    args = parser.parse_args(words)
    try:
        comparison = Comparison(read_differences(args.allow) if args.allow else [])
        comparison.compare(args.old, args.new)
    except Unreadable as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(comparison.report()))
    return int(bool(comparison.found))


if __name__ == "__main__":
    sys.exit(main())
