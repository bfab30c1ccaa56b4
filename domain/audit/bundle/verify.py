"""Checking an audit bundle without trusting whoever made it (docs/audit/format.md): every byte, and every file against
the history in it.

Nothing raises for what is in the file, and what one check finds does not keep the others from looking.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from domain.audit.bundle import schema as forms
from domain.audit.bundle.archive import (  # fmt: skip  # fmt: skip
    CHECKPOINTS,
    DIGESTED,
    DRAWS,
    EVENTS,
    KEYS,
    LOCAL,
    MANIFEST,
    NOTICES,
    README,
    RULES,
    SIGNATURE,
    NoArchive,
    faults,
    unpack,
)
from domain.audit.bundle.schema import GONE_OUT, Form, is_list, is_own, is_version, misfit
from domain.audit.bundle.write import FORMAT, SIGNED, digest, document, draws_of, rules_of
from domain.audit.checkpoints import Checkpoint
from domain.audit.receipts import Witness, check_receipts
from domain.audit.signing_keys import Genuine, endorsed, trusted
from domain.audit.verify_history import Report, audit, is_over
from domain.engine.canonical import NotCanonical, canonical, read_json
from domain.engine.game import NOBODY, Seat
from domain.history.codec import history
from domain.history.envelope import FORMS, is_event, survey
from domain.table.events import GameStarted, Rewound

REWOUND: Final = "table.rewound"
SEAT_TAKEN: Final = "table.seat-taken"
TAKEN_BY_BOT: Final = "table.seat-taken-by-bot"
SAID_OF_A_SEAT: Final = {"seat", "player", "nonce", "nonce_by", "bot"}
"""The fields that the event has, even where a default would do."""
SAID_OF_A_BOT: Final = {"strength", "temper"}
"""The fields of a bot in that event, and in the event in which a bot takes over."""
MOST_FAULTS: Final = 20
"""Of one kind, or in one file, that are told one by one."""


def is_bundle(data: bytes) -> bool:
    """Whether this is to be read as a bundle, by its first bytes; else it is an export."""
    return data[:2] == LOCAL[:2] or MANIFEST.encode() in data[:64]


def check(
    data: bytes,
    genuine: Genuine,
    *,
    witnesses: Sequence[Witness] = (),
    noted: Sequence[Mapping[str, Any]] | None = None,
) -> Report:
    """Check a bundle; `witnesses` are receipts and mails, `noted` the host's keys as they were noted before."""
    report = Report()
    try:
        files = unpack(data)
    except NoArchive as none:
        report.add("archive", "broken", f"This is no audit bundle: {none}.")
        return report
    found = list(faults(data, files))
    for fault in found[:MOST_FAULTS]:
        report.add("archive", "broken", f"{fault}.")
    if not found:
        report.add("archive", "verified", f"All {len(data)} bytes are those of an archive of these {len(files)} files.")
    _Check(report, files, genuine, witnesses, noted).run()
    return report


def check_export(
    lines: Sequence[bytes],
    genuine: Genuine,
    *,
    witnesses: Sequence[Witness] = (),
    noted: Sequence[Mapping[str, Any]] | None = None,
) -> Report:
    """Check an export, and hold it against what others have kept."""
    report = audit(lines)
    entries, _ = survey(lines)
    check_receipts(report, entries, witnesses, None if noted is None else ids(noted), genuine, noted=noted is not None)
    return report


def ids(keys: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Public keys by id."""
    return {key["id"]: key["public"] for key in keys}


@dataclass
class _Check:
    """One bundle that is being checked; each step adds its lines to the report."""

    report: Report
    files: Mapping[str, bytes]
    genuine: Genuine
    witnesses: Sequence[Witness]
    noted: Sequence[Mapping[str, Any]] | None
    entries: list[Any] = field(default_factory=list)
    publics: dict[str, str] = field(default_factory=dict)
    over: bool = False
    faults: Counter[str] = field(default_factory=Counter)

    def run(self) -> None:
        """All steps, in an order in which each finds what it needs."""
        sound = self.events()
        keys = self.keys()
        manifest = self.manifest()
        if sound and manifest is not None and not self.over:
            self.shown(manifest["reader"])
        self.signature()
        self.rules()
        self.draws(sound)
        self.notices(manifest)
        self.checkpoints()
        counting = self.publics if self.noted is None else trusted(self.noted, keys, self.genuine)
        self.trust(keys, counting)
        noted = self.noted is not None
        check_receipts(self.report, self.entries, self.witnesses, counting, self.genuine, noted=noted)

    # -- the history

    def events(self) -> bool:
        """Chain, leaves, draws and rules. Whether all of them hold, or stay open."""
        lines = self.files[EVENTS].split(b"\n")
        tail = lines.pop()
        self.entries, found = survey(lines)
        for fault in found[:MOST_FAULTS]:
            if fault.version is None:
                self.report.add("chain", "broken", f"{EVENTS}: {fault.reason}.")
            else:
                self.report.blame("chain", fault.version, f"{fault.reason}.", EVENTS)
        if len(found) > MOST_FAULTS:
            self.report.add("chain", "broken", f"{EVENTS}: {len(found) - MOST_FAULTS} more events are bad.")
        if tail:
            self.report.add("chain", "broken", f"{EVENTS}: it does not end with a line feed.")
        sound = [entry for entry in self.entries if _is_sound(entry)]
        self.over = is_over(sound)
        self.report.events = len(self.entries)
        if sound:
            self.report.game, self.report.hash = str(sound[-1]["game"]), str(sound[-1]["hash"])
        for version, told in _table_faults(sound):
            self.report.blame("chain", version, told, EVENTS)
        if not found:
            heard = audit(lines)
            self.report.checks += heard.checks
            self.report.version = heard.version
        self._pass_over("leaves", "rules", "draws", "clock")
        return not found and heard.ok

    def shown(self, reader: Seat | None) -> None:
        """While a game runs: no leaf is shut to whom it was made for, and none open that is not theirs to see."""
        kept = history(self.entries[0]["data"]["ruleset"])
        seats, started = _seats(self.entries[0]), False
        last: dict[Seat, int] = {}
        stood = [last]
        opened: set[int] = set()
        for entry in self.entries:
            version = entry["version"]
            event = kept.read(entry["type"], canonical(entry))
            if isinstance(event, GameStarted):
                seats, started = len(event.seats), True
            if not event.LASTS:
                last = last | {leaf["for"]: version for leaf in entry["sealed"] if leaf["for"] != NOBODY}
            if event.OPENS:
                opened.update(last.values())
                last = {}
            if isinstance(event, Rewound):
                last = stood[event.to]
            stood.append(last)
        if reader is not None and reader not in range(seats):
            self.fault(MANIFEST, f"its “reader” is seat {reader}, which this table does not have")
        eyes = "a spectator" if reader is None else f"seat {reader}"
        for version, owner, is_open in self._leaves():
            if is_open and owner != reader and version not in opened:
                self.report.blame("leaves", version, f"a leaf of it is open, and not for {eyes} to see.", EVENTS)
            elif not is_open and (version in opened or (owner == reader and started)):
                self.report.blame("leaves", version, f"a leaf of it is shut, and is for {eyes} to see.", EVENTS)

    def _leaves(self) -> Iterator[tuple[int, Any, bool]]:
        """Each leaf: its event, whom it is for, whether it is open."""
        for entry in self.entries:
            for leaf in entry["sealed"]:
                yield entry["version"], leaf["for"], "salt" in leaf

    def _pass_over(self, *checks: str) -> None:
        done = {check for check, _, _ in self.report.checks}
        for check in checks:
            if check not in done:
                self.report.add(check, "unchecked", "What is broken above must be mended first.")

    def entry(self, version: int) -> dict[str, Any] | None:
        """An event, as far as it has the fields of one."""
        if not 1 <= version <= len(self.entries):
            return None
        entry = self.entries[version - 1]
        return entry if _is_sound(entry) else None

    # -- the files beside it

    def document(self, name: str, form: Mapping[str, Form]) -> dict[str, Any] | None:
        """A file that is one canonical JSON object of this form; None, and a line, where it is not."""
        content = self.files[name]
        try:
            value = read_json(content)
            wrong = misfit(value, form)
            if not wrong and document(value) != content:
                wrong = "it is not canonical JSON and a line feed"
        except NotCanonical as error:
            wrong = str(error)
        if wrong:
            self.fault(name, wrong)
            return None
        found: dict[str, Any] = value
        return found

    def items(self, name: str, items: Sequence[Any], form: Mapping[str, Form]) -> list[dict[str, Any]]:
        """Those of a list that have this form; a line for each that does not."""
        good = []
        for place, item in enumerate(items):
            wrong = misfit(item, form)
            if wrong:
                self.fault(name, f"entry {place}: {wrong}", item.get("version") if isinstance(item, dict) else None)
            else:
                good.append(item)
        return good

    def fault(self, name: str, sentence: str, version: Any = None) -> None:
        """A line for what is wrong in a file, about an event if there is one; what is too much is counted."""
        self.faults[name] += 1
        if self.faults[name] > MOST_FAULTS:
            return
        if is_version(version):
            self.report.blame(name, version, f"{sentence}.")
        else:
            self.report.add(name, "broken", f"{sentence}.")

    def conclude(self, name: str, sentence: str) -> None:
        """A line for a file in which nothing is wrong, and for what of it was not told."""
        more = self.faults[name] - MOST_FAULTS
        if more > 0:
            self.report.add(name, "broken", f"{_count(more, 'more fault')} like these.")
        if all(check != name for check, _, _ in self.report.checks):
            self.report.add(name, "verified", sentence)

    def compare(self, name: str, found: Mapping[str, Any], due: Mapping[str, Any], *fields: str) -> None:
        """What a file says, against what the history says."""
        for member in fields:
            if found[member] != due[member]:
                self.fault(name, f"its “{member}” is not what the history says")

    def manifest(self) -> dict[str, Any] | None:
        """What it is about, and the digests."""
        found = self.document(MANIFEST, forms.MANIFEST)
        if found is None:
            return None
        if found["format"] != FORMAT:
            self.fault(MANIFEST, f"it is of the format {found['format'][:40]}, and this Wardroom reads {FORMAT}")
        if not _is_utf8(self.files[README]):
            self.fault(MANIFEST, f"{README} is no UTF-8 text")
        for name in sorted({*DIGESTED, *found["files"]}):
            due = digest(self.files[name]) if name in DIGESTED else None
            if found["files"].get(name) != due:
                self.fault(MANIFEST, f"{name[:40]} is not the file whose digest it names")
        last, first = self.entry(len(self.entries)), self.entry(1)
        if last is not None:
            for member in ("at", "game", "hash", "version"):
                if found[member] != last[member]:
                    self.fault(MANIFEST, f"its “{member}” is not that of the last event", len(self.entries))
        if first is not None and first["data"].get("ruleset") != found["ruleset"]:
            self.fault(MANIFEST, "its “ruleset” is not that of the game", 1)
        if found["over"] != self.over:
            self.fault(MANIFEST, "its “over” is not what the history says")
        if self.over and found["reader"] is not None:
            self.fault(MANIFEST, "the game is over, and it was made for one reader")
        self.conclude(MANIFEST, f"The digests of {len(DIGESTED)} files, and what it says of the game, fit.")
        return found

    def signature(self) -> None:
        """The host's signature of the manifest."""
        found = self.document(SIGNATURE, forms.SIGNATURE)
        if found is None:
            return
        key = found["key"]
        if key not in self.publics:
            self.fault(SIGNATURE, f"its key {key} is not in {KEYS}")
        elif not self.genuine(self.publics[key], SIGNED + self.files[MANIFEST], found["signature"]):
            self.fault(SIGNATURE, f"it is not the signature of this {MANIFEST} with key {key}")
        self.conclude(SIGNATURE, f"The manifest is signed with key {key}.")

    def keys(self) -> list[dict[str, Any]]:
        """The host's keys: each fits its id, and those that are vouched for are so by an earlier one."""
        found = self.document(KEYS, {"keys": is_list})
        keys = [] if found is None else self.items(KEYS, found["keys"], forms.KEY)
        earlier: dict[str, str] = {}
        since = ""
        for key in keys:
            if not is_own(key) or key["id"] in earlier:
                self.fault(KEYS, f"the id of key {key['id']} is not that of its public key, or stands there twice")
            if key["since"] < since:
                self.fault(KEYS, f"key {key['id']} is older than the one before it")
            if key["endorsement"] is not None and not endorsed(key, earlier, self.genuine):
                self.fault(KEYS, f"key {key['id']} is not vouched for by the earlier key it names")
            earlier[key["id"]], since = key["public"], key["since"]
        self.publics = earlier
        if found is not None:
            loose = [key["id"] for key in keys[1:] if key["endorsement"] is None]
            also = f"; no earlier one vouches for {', '.join(loose)}" if loose else ""
            self.conclude(KEYS, f"{_count(len(keys), 'key')} with fitting ids and endorsements{also}.")
        return keys

    def trust(self, keys: Sequence[Mapping[str, Any]], counting: Mapping[str, str]) -> None:
        """Whether the keys are the host's: none of it can be seen in the bundle itself."""
        if self.noted is None:
            used = f"{', '.join(ids(keys)) or 'none'}"
            self.report.add(
                "keys", "unchecked", f"Whether they are the host's: compare them with what you noted before ({used})."
            )
            return
        strange = [key["id"] for key in keys if counting.get(key["id"]) != key["public"]]
        for key_id in strange:
            self.report.add(
                "keys", "broken", f"{KEYS}: key {key_id} is none of those you noted, and none of them vouches for it."
            )
        if not strange:
            self.report.add("keys", "verified", "Every key is one you noted, or one of those vouches for it.")

    def rules(self) -> None:
        """Ruleset, options and schemas against the history; the board against the rules that are here."""
        found, first = self.document(RULES, forms.RULES), self.entry(1)
        if found is None or first is None:
            return
        data = first["data"]
        for member in ("ruleset", "options"):
            if found[member] != data.get(member):
                self.fault(RULES, f"its “{member}” are not those the table was opened under", 1)
        for version in range(1, len(self.entries) + 1):
            entry = self.entry(version)
            if entry is None or not isinstance(entry["type"], str):
                continue
            newest = found["schemas"].get(entry["type"])
            if newest is None or not isinstance(entry["schema"], int) or entry["schema"] > newest:
                told = "its type is not in “schemas”" if newest is None else "its schema is newer than that of its type"
                self.fault(RULES, told, version)
        self._board(found)
        self.conclude(RULES, f"Edition {found['edition']} of the rules, options and schemas fit the events.")

    def _board(self, found: Mapping[str, Any]) -> None:
        try:
            here = rules_of(self.entries)
        except Exception:  # a ruleset that is not here, or a history that opens no game: said elsewhere
            return
        if found["edition"] != here["edition"]:
            told = f"It was played by edition {found['edition'][:20]} of the rules; here is {here['edition']}"
            self.report.add("edition", "unchecked", f"{told}: what differs between them is not known.")
        elif found["board"] != here["board"]:
            self.fault(RULES, f"its “board” is not that of edition {here['edition']}")

    def draws(self, sound: bool) -> None:
        """Seed, nonces, and what was drawn from, against the history played again."""
        found = self.document(DRAWS, forms.DRAWS)
        if found is None:
            return None
        draws = self.items(DRAWS, found["draws"], forms.DRAW)
        if not sound:  # a forged history may hold anything, and is not played again
            return self._pass_over(DRAWS)
        due = draws_of(self.entries, self.files[EVENTS])
        self.compare(DRAWS, found, due, "seed", "seed_commitment")
        if found["nonces"] != due["nonces"]:
            self.fault(DRAWS, "its “nonces” are not those of the chairs")
        for version, told in _unlike(draws, due["draws"]):
            self.fault(DRAWS, told, version)
        if due["seed"] is None:
            self.conclude(DRAWS, "Nonces and commitment fit; what is drawn from is told when the game is over.")
        else:
            self.conclude(DRAWS, f"{_count(len(draws), 'draw')}, each from what the rules leave to be drawn from.")

    def notices(self, manifest: Mapping[str, Any] | None) -> None:
        """Check the notices: forms, order and times, and while the game runs none to another seat."""
        found = self.document(NOTICES, {"notices": is_list})
        if found is None:
            return
        notices = self.items(NOTICES, found["notices"], forms.NOTICE)
        places = [(notice["queued"], notice["version"], notice["seat"], notice["kind"]) for notice in notices]
        for before, after in pairwise(places):
            if after < before:
                self.fault(NOTICES, "a notice stands before an earlier one", after[1])
        for notice in notices:
            for told in self._notice(notice, manifest):
                self.fault(NOTICES, told, notice["version"])
        self.conclude(NOTICES, f"{_count(len(notices), 'notice')}, each about an event and not before it.")

    def _notice(self, notice: Mapping[str, Any], manifest: Mapping[str, Any] | None) -> Iterator[str]:
        entry = self.entry(notice["version"])
        if entry is None:
            yield "a notice is about it, and there is no such event"
        elif str(entry["at"]) > notice["queued"]:
            yield "a notice of it was written down before it was recorded"
        if (notice["sent"] is None) == (notice["state"] in GONE_OUT):
            yield f"a notice of it is {notice['state']}, and its “sent” says otherwise"
        if notice["sent"] is not None and notice["sent"] < notice["queued"]:
            yield "a notice of it was sent before it was written down"
        first = self.entry(1)
        if first is not None and notice["seat"] not in range(_seats(first)):
            yield f"a notice of it is to seat {notice['seat']}, which this table does not have"
        if manifest is not None and not self.over and notice["seat"] != manifest["reader"]:
            yield f"a notice to seat {notice['seat']} is not the reader's, and the game runs"

    def checkpoints(self) -> None:
        """Signed heads: of these very events, each once, the last of the last."""
        found = self.document(CHECKPOINTS, {"checkpoints": is_list})
        if found is None:
            return
        points = self.items(CHECKPOINTS, found["checkpoints"], forms.CHECKPOINT)
        last = 0
        for point in points:
            if point["version"] <= last:
                self.fault(CHECKPOINTS, "its checkpoint stands out of order, or twice", point["version"])
            last = point["version"]
            for told in self._checkpoint(point):
                self.fault(CHECKPOINTS, told, point["version"])
        if last != len(self.entries):
            self.fault(CHECKPOINTS, "it is the last event, and the last checkpoint is of another", len(self.entries))
        self.conclude(CHECKPOINTS, f"{_count(len(points), 'signed checkpoint')} of these very events.")

    def _checkpoint(self, point: Mapping[str, Any]) -> Iterator[str]:
        entry = self.entry(point["version"])
        if entry is None:
            yield "there is a checkpoint of it, and no such event"
        else:
            for name, of_event in (("game", "game"), ("hash", "hash"), ("time", "at")):
                if point[name] != entry[of_event]:
                    yield f"its checkpoint has another “{name}”"
        signed = Checkpoint(point["game"], point["version"], point["hash"], point["time"])
        if point["key"] not in self.publics:
            yield f"its checkpoint is signed with key {point['key']}, which is not in {KEYS}"
        elif not self.genuine(self.publics[point["key"]], signed.message(), point["signature"]):
            yield f"the signature of its checkpoint is not that of key {point['key']}"


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_sound(entry: Any) -> bool:
    return is_event(entry) and all(fits(entry[name]) for name, fits in FORMS.items())


def _table_faults(entries: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, str]]:
    """Events of the table that say too little, or go back to where nothing stands: also where secrets keep the rules
    from telling."""
    undone: set[int] = set()
    for entry in entries:
        version, data = entry["version"], entry["data"]
        if entry["type"] == SEAT_TAKEN and not data.keys() >= SAID_OF_A_SEAT:
            yield version, "it does not say who sat down and whose the nonce is."
        if entry["type"] in (SEAT_TAKEN, TAKEN_BY_BOT):
            bot = data.get("bot")
            if isinstance(bot, dict) and bot.keys() != SAID_OF_A_BOT:
                yield version, "it does not say how strong the bot is and of which temper, and nothing else."
        if entry["type"] == REWOUND and type(to := data.get("to")) is int:
            if not 1 <= to < version or to in undone:
                yield version, f"it goes back to event {to}, which does not stand."
            undone.update(range(to + 1, version))


def _unlike(found: Sequence[Mapping[str, Any]], due: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, str]]:
    """Where the entries of draws are not those of the history: the event, and what is wrong."""
    for place, draw in enumerate(due):
        if place >= len(found):
            yield draw["version"], f"draw {draw['index']} has no entry"
        elif found[place] != draw:
            wrong = ", ".join(f"“{name}”" for name in draw if found[place][name] != draw[name])
            yield (
                draw["version"],
                f"draw {draw['index']}: {wrong} of its entry: the rules and the history say otherwise",
            )
    for extra in found[len(due) :]:
        yield extra["version"], "an entry tells of a draw that was not made"


def _seats(opening: Mapping[str, Any]) -> int:
    seats = opening["data"].get("seats")
    return seats if type(seats) is int else 0


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
