"""Check a Wardroom audit bundle by format.md beside this file. Exit 0: it holds, 1: something is broken, 2: usage."""

import argparse
import datetime
import email
import hmac
import io
import itertools
import json
import re
import sys
import unicodedata
import zipfile
from hashlib import sha256, sha512
from pathlib import Path

NAMES = ["manifest.json", "signature.json", "README.txt", "events.ndjson", "rules.json", "draws.json"]
NAMES += ["notices.json", "checkpoints.json", "keys.json"]
OVER = {"table.game-finished", "table.game-abandoned", "table.seed-revealed"}
TAKEN, REWOUND = {"table.seat-taken-over", "table.seat-taken-by-bot", "table.seat-vacated"}, "table.rewound"
ANSWERS = {*TAKEN, "table.turn-expired", "table.caretaker-acted", "table.orders-followed"}
MOVES = {"table.clock-paused", "table.clock-resumed", "table.deadline-moved", REWOUND}
OPENING, LASTING = "tammany-hall.bids-revealed", ("table.orders-filed", "table.orders-dropped")
ZONES = {"zone-1": ["1", "2", "4", "7", "6"], "zone-2": ["9", "15", "8", "5", "3"], "zone-3": ["17", "11", "13", "10"]}
BASE_32, MOST, HEAD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 2**53 - 1, "game hash time version"
AROUND, HIDDEN = " \t\r\n\f\v.,;:!*_~`'\"()[]{}<>|«»„“”‚‘’", {"Zs", "Zl", "Zp", "Cc", "Cf", "Pd"}

# what may stand in a field, as a pattern of its canonical JSON
COUNT, STRING, TEXT, OBJECT, ARRAY = "0|[1-9][0-9]*", r'"([^"\\]|\\.)*"', r'"([^"\\]|\\.)+"', r"\{.*\}", r"\[.*\]"
NUMBER, FLAG, KEY_ID, HASH = "[1-9][0-9]*", "true|false", '"[0-9a-f]{16}"', '"[0-9a-f]{64}"'
TIME = r'"[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3])(:[0-5][0-9]){2}\.[0-9]{6}Z"'
ACTOR = rf'\{{("(seat|chance)":({COUNT})|"(clock|operator)":true|"host":{TEXT})\}}'
EVENT = {"actor": ACTOR, "at": TIME, "cause": TEXT, "data": OBJECT, "game": TEXT, "hash": HASH, "previous": HASH}
EVENT = {**EVENT, "schema": COUNT, "sealed": ARRAY, "type": TEXT, "version": NUMBER}
SHUT = {"commitment": HASH, "for": f'{COUNT}|"nobody"'}
OPEN = {**SHUT, "data": OBJECT, "salt": HASH}
SIGNED = {"key": KEY_ID, "signature": '"[0-9a-f]{128}"'}
SIGNATURE = f'"key":{KEY_ID},"signature":{SIGNED["signature"]}'
KINDS = "your-turn|reminder|deadline-passed|game-over|undeliverable|orders-dropped|brief|proposal|taken-back|clock-news"
ROWS = {
    "checkpoints": {"game": TEXT, "hash": HASH, "time": TIME, "version": NUMBER, **SIGNED},
    "draws": {"index": COUNT, "items": ARRAY, "label": TEXT, "take": COUNT, "version": NUMBER},
    "keys": {"endorsement": rf"null|\{{{SIGNATURE}\}}", "id": KEY_ID, "public": HASH},
    "notices": {"kind": f'"({KINDS}|vacant)"', "queued": TIME, "seat": COUNT, "sent": f"null|{TIME}"},
}
ROWS["keys"]["since"] = TIME
ROWS["notices"].update(state='"(queued|sent|bounced|failed|superseded)"', version=NUMBER)
FILES = {
    "manifest.json": {"at": TIME, "files": OBJECT, "format": '"wardroom-bundle-1"', "game": TEXT, "hash": HASH},
    "signature.json": SIGNED,
    "rules.json": {"board": OBJECT, "edition": TEXT, "options": OBJECT, "ruleset": TEXT},
    "draws.json": {"nonces": rf"\[({STRING},?)*\]", "seed": f"null|{HASH}", "seed_commitment": HASH, "draws": ARRAY},
    **{f"{name}.json": {name: ARRAY} for name in ROWS if name != "draws"},
}
FILES["manifest.json"].update(over=FLAG, reader=f"null|{COUNT}", ruleset=TEXT, version=NUMBER)
FILES["rules.json"]["schemas"] = rf"\{{({STRING}:({COUNT}),?)*\}}"
BOT = r'\{"strength":[0-3],"temper":"(even|cautious|patient|vindictive)"\}'
TABLE = {
    "table.game-opened": {"ruleset": TEXT, "seats": NUMBER, "options": OBJECT, "clock": OBJECT, "public": FLAG},
    "table.seat-taken": {"seat": COUNT, "player": f"null|{TEXT}", "nonce": STRING, "bot": f"null|{BOT}"},
    "table.seat-taken-by-bot": {"seat": COUNT, "bot": BOT},
    "table.seat-left": {"seat": COUNT, "host": TEXT},
    "table.game-started": {"seats": rf"\[(({COUNT}),?)*\]"},
    "table.rewound": {"to": NUMBER},
    "table.seed-revealed": {"seed": HASH},
}
TABLE["table.game-opened"].update(host=TEXT, seed_commitment=HASH)
TABLE["table.seat-taken"].update(nonce_by='"(player|server)"')
TERMS = {"per_move": "P3D", "bank": "PT0S", "grace": "PT10M", "quiet_hours": False, "weekends": "count"}
TERMS["leave_days"] = 0
LENGTH = r"P(?!$)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?"
DAY, EPOCH = 86400 * 10**6, datetime.datetime.fromisoformat("1970-01-01")  # the first in microseconds
HEADER = {"v": '"1"', "game": '"[!-:<-~]+"', "version": '"[1-9][0-9]{0,15}"', "time": TIME, "hash": HASH, **SIGNED}
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # of Ed25519 (RFC 8032)
D, ROOT, BASE = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P), 4 * pow(5, -1, P) % P | 1 << 255
MISFIT = "a field is missing, too much or of another form"
UNCHECKED = """whether the rules were kept and `items` were all to draw from: `wardroom verify` plays the game again
whether `board` and `edition` are theirs, each `text` says its action, and `data` is whole by its ruleset: so does it
whether the host foresaw draws, read what it seals, sent what notices.json says or, without --keys, has these keys
whether there is a longer history: ask the others at the table for their receipts"""


def canonical(value):
    """RFC 8785, for the values the page allows."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def read_json(raw, end=b""):
    """The value that `raw` is the canonical JSON of, before `end`; ValueError says what is wrong with it."""
    hooks = {"parse_int": lambda n: max(-MOST, min(MOST, int(n[:18]))), "parse_float": int, "parse_constant": int}
    value = json.loads(raw.decode(), object_hook=lambda one: all(map(str.isascii, one)) and one, **hooks)
    if canonical(value) + end != raw:  # what may not be there was read as something else
        raise ValueError("it is not written the one way there is")
    return value


def fits(value, form):
    """Whether a value is an object of this form: patterns of canonical JSON by field."""
    same = type(value) is dict and value.keys() == form.keys()
    if not same or not all(re.fullmatch(form[name], canonical(value[name]).decode()) for name in form):
        return False
    try:
        return all(datetime.datetime.fromisoformat(value[n][:-1]) for n in form if TIME in form[n] and value[n])
    except ValueError:  # a day that the calendar does not have
        return False


def add(a, b):
    """The sum of two points (X, Y, Z, T) of Ed25519: x = X/Z, y = Y/Z, xy = T/Z."""
    e, f, g, h = (a[1] - a[0]) * (b[1] - b[0]), (a[1] + a[0]) * (b[1] + b[0]), 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2]
    e, f, g, h = f - e, h - g, h + g, f + e
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    """A multiple of a point."""
    total = times(scalar // 2, add(point, point)) if scalar else (0, 1, 1, 0)
    return add(total, point) if scalar % 2 else total


def negative(raw):
    """The negative of the point that 32 bytes encode; ValueError if they encode none, or one of small order."""
    y, odd = int.from_bytes(raw, "little") % 2**255, raw[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * ROOT % P
    x = x if x & 1 != odd else P - x
    if y >= P or x * x % P != square or not times(8, (x, y, 1, x * y % P))[0]:
        raise ValueError("it is no public key")
    return x, y, 1, x * y % P


def distrust(keys, signed, purpose, message, where=""):
    """Why the signature in `signed` is not one of `keys` (public, by id), in its one encoding; empty if it is."""
    public, signature = bytes.fromhex(keys[signed["key"]]), bytes.fromhex(signed["signature"])
    told = sha512(signature[:32] + public + f"wardroom-{purpose}-v1\n".encode() + message).digest()
    s, challenge = int.from_bytes(signature[32:], "little"), int.from_bytes(told, "little") % L
    total = add(times(s, negative(BASE.to_bytes(32, "little"))), times(challenge, negative(public)))
    x, y = (coordinate * pow(total[2], -1, P) % P for coordinate in total[:2])
    right = (y | (x & 1) << 255).to_bytes(32, "little") + (s % L).to_bytes(32, "little")
    return "" if right.hex() == signed["signature"] else f"{where}the signature by key {signed['key']} does not hold"


def digest(purpose, value, salt=b""):
    """SHA-256 of a value for a purpose."""
    return sha256(f"wardroom-{purpose}-v1\n".encode() + salt + canonical(value)).hexdigest()


def head_of(event):
    """What is told of an event, by checkpoints and as its receipt."""
    head = {"game": event["game"], "hash": event["hash"], "time": event["at"], "version": event["version"]}
    bits = int(digest("receipt", head), 16) >> 131
    return {**head, "receipt": "".join(BASE_32[bits >> shift & 31] for shift in range(120, -1, -5))}


def part(value, fields):
    """Some fields of an object."""
    return {field: value[field] for field in fields.split()}


def unlike(where, told, right):
    """A sentence for each field that is not what it must be."""
    return [f"{where}{name} is not as it must be" for name in right if canonical(told[name]) != canonical(right[name])]


def sample(seed, nonces, draw):
    """What the seed gives for an entry of draws.json; one alone is drawn as the first of a sample is."""
    key = hmac.digest(bytes.fromhex(seed), canonical(nonces), "sha256")
    blocks = (hmac.digest(key, f"{draw['label']}:{draw['index']}:{n}".encode(), "sha256") for n in itertools.count())
    words = (int.from_bytes(block[place : place + 8], "big") for block in blocks for place in (0, 8, 16, 24))
    items = [*draw["items"]]
    for left in range(len(items), len(items) - draw["take"], -1):
        other = next(word for word in words if word < 2**64 - 2**64 % left) % left - left
        items[-left], items[other] = items[other], items[-left]
    return items[: max(0, draw["take"])]


def came_of(label, drawn, said):
    """The `result` there must be if `drawn` was drawn, with what an event says of its draw."""
    if label in ZONES:
        return {**dict(zip(ZONES[label], drawn)), **({"14": "irish"} if label == "zone-1" else {})}
    if label == "garden":  # a colour that was not drawn may be there, as 0
        return {colour: drawn.count(colour) for colour in {*drawn, *said["result"]}}
    if label == "permits" and len(said["result"]) == len(drawn) + said.get("bottom", 0):
        return drawn + said["result"][len(drawn) :]
    return drawn[0] if label in ("first-player", "land") else {"turn-order": drawn, "permits": None}[label]


def is_odd(draw, seats):
    """Whether an entry of draws.json is of other items, or takes more or fewer, than its label allows."""
    label, items, take = draw["label"], draw["items"], draw["take"]
    right = {"first-player": 1, "land": 1, "garden": take, "permits": take}.get(label, len(items))
    of_seats = [*range(seats)] if label in ("first-player", "turn-order") else items
    same = canonical(sorted(items) if label == "turn-order" else items) == canonical(of_seats)
    return not same or take != right or not 0 <= take <= len(items) or len(items) != len(ZONES.get(label, items))


def micros(time):
    """Return a time as microseconds since 1970."""
    return (datetime.datetime.fromisoformat(time[:-1]) - EPOCH) // datetime.timedelta(microseconds=1)


def length(duration):
    """Return a duration in microseconds."""
    numbers = re.fullmatch(LENGTH, duration, re.ASCII).groups("0")
    return sum(int(n) * unit for n, unit in zip(numbers, (604800, 86400, 3600, 60, 1))) * 10**6


class Clock:
    """The clock of a table as the events before tell it: the last question of each seat, and who has answered since."""

    def __init__(self, terms):
        """No question is asked yet."""
        self.terms, self.seats, self.stands, self.banks = {**TERMS, **terms}, 0, False, {}
        self.asked, self.answered, self.stood, self.late = {}, set(), {}, {}
        self.plain = [self.terms[name] for name in ("quiet_hours", "weekends", "leave_days")] == [False, "count", 0]

    def request(self, request):
        """Follow the events of one request and yield what is wrong. Only the last one may have a due."""
        last, kinds, self.late = request[-1], {event["type"] for event in request}, {}
        for event in request:
            fault = self.event(event, kinds) or ("due" in event["data"] and event is not last and "its due comes early")
            yield f"event {event['version']}: {fault}" if fault else ""
        alone = len(request) == 1 and last["actor"] == {"clock": True} and "due" in last["data"]
        if "table.deadline-moved" in kinds and not alone:
            yield f"event {last['version']}: a deadline moved, not by the clock, not alone, or without a due"
        if "due" in last["data"]:
            faults = [self.due(*told, request, kinds) for told in last["data"]["due"].items()] or ["its due is empty"]
            yield from (f"event {last['version']}: {fault}" for fault in faults if fault)
        for seat in self.late.keys() - last["data"].get("due", {}).keys():
            self.asked[seat] = self.late[seat]
            self.answered.add(seat)
        self.stood[last["version"]] = {**self.asked}, {*self.answered}

    def event(self, event, kinds):
        """Follow one event. Returns the fault of a turn that expires before its due and grace."""
        data, kind, fault = event["data"], event["type"], ""
        if kind == "table.turn-expired":
            due = self.asked.get(str(data["seat"]), {"due": None})["due"]
            late = due and micros(event["at"]) >= micros(due) + length(self.terms["grace"])
            fault = "" if late else "a turn expired before its due and grace, or without a due"
        self.seats = len(data["seats"]) if kind == "table.game-started" else self.seats
        self.banks.update({str(data["seat"]): data["left"]} if kind == "table.bank-changed" else {})
        self.stands = kind == "table.clock-paused" or (self.stands and kind != "table.clock-resumed")
        if kind == REWOUND:
            self.late = {seat: question for seat, question in self.asked.items() if question["late"]}
            self.asked, self.answered = {**self.stood[data["to"]][0]}, {*self.stood[data["to"]][1]}
        elif kind in ANSWERS or (kind[:6] != "table." and REWOUND not in kinds and "seat" in event["actor"]):
            self.answered.add(str(data["seat"] if kind in ANSWERS else event["actor"]["seat"]))
        for question in self.asked.values() if self.stands else ():
            question["due"] = None
        self.stood[event["version"]] = {**self.asked}, {*self.answered}
        return fault

    def due(self, seat, due, request, kinds):
        """Keep a due of a seat as told. Returns what is wrong with it, if anything."""
        if seat not in map(str, range(self.seats)) or not fits({"due": due}, {"due": f"null|{TIME}"}):
            return "its due is of another form"
        of_table = all(kind[:6] == "table." for kind in kinds) and not kinds & {*TAKEN, REWOUND}
        same = seat in self.asked and (of_table or seat not in self.answered)
        late = "table.clock-resumed" in kinds and seat in self.answered
        before = self.asked[seat] if same else {"due": None, "latest": "", "new": True, "late": late}
        now = {**before, "due": due, "latest": max(before["latest"], due or ""), "new": before["new"] and not due}
        self.asked[seat] = before if same else now
        fault = self.fault_of(seat, due, before, request, kinds)
        self.asked[seat].update(now, new=now["new"] and REWOUND not in kinds)
        self.answered.discard(seat)
        return fault

    def fault_of(self, seat, due, before, request, kinds):
        """Return what is wrong with a due, by what was told `before` of the same question."""
        given = [event["data"] for event in request if event["type"] == "table.time-extended"]
        more = sum(data["seconds"] for data in given if data.get("seat") in (None, int(seat))) * 10**6
        if (due is None) is not self.stands:
            return f"the due of seat {seat} is null though its clock runs, or a time though it stands"
        if due and due < before["latest"]:
            return f"the due of seat {seat} is earlier than one told before"
        if due and before["new"] and REWOUND not in kinds:
            least, most = self.bounds(seat, before["late"])
            good = least <= micros(due) - micros(request[-1]["at"]) <= most + more
            return "" if good else f"the due of seat {seat} is not the time of a move and its bank"
        exact = due and before["due"] and self.plain and given and not kinds & MOVES
        wrong = exact and micros(due) != micros(before["due"]) + more
        return f"the due of seat {seat} is not moved by the time given" if wrong else ""

    def bounds(self, seat, late):
        """Return the least and the most microseconds from a question to its first due."""
        bank = self.banks[seat] * 10**6 if seat in self.banks else length(self.terms["bank"])
        whole = length(self.terms["per_move"]) + bank
        least = whole - bank if late else whole
        least -= min(least // 2, DAY // 2) if self.terms["quiet_hours"] else 0
        return least, whole if self.plain else 2 * (whole + (self.terms["leave_days"] + 7) * DAY)


class Check:
    """Methods that yield faults are checks, their docstrings what holds without any; `told` are named tellings."""

    def __init__(self, raw, told=(), known=None):
        """Split the archive by the sizes it gives, and check it: what is found is in `lines`, and `sound` or not."""
        self.raw, self.files, self.docs, self.events, self.lines, self.sound, end = raw, {}, {}, {}, [], True, 0
        for name in NAMES:
            body = end + 30 + len(name)
            end = body + int.from_bytes(raw[end + 18 : end + 22], "little")
            self.files[name] = raw[body:end]
        checks = "archive manifest history table leaves rules draws clock notices checkpoints"
        for what in checks.split():
            self.judge(what, getattr(self, what))
        self.judge("keys", self.vouched, known)
        for name, telling in told:
            self.judge(f"receipt {name}", self.told, telling, [one.get("game") for n, one in told if n == name], known)
        self.lines += [f"unchecked  {sentence}" for sentence in UNCHECKED.split("\n")]

    def judge(self, what, check, *about):
        """Note each fault that a check yields, or that there is none; no text can steer a terminal or fill it."""
        faults = []
        try:
            faults += filter(None, check(*about))
        except Exception as error:  # whatever a hostile bundle found out: it proves nothing, the rest is looked at
            faults.append(f"it cannot be checked: {error!r}")
        for fault in faults or [("verified", check.__doc__)]:
            state, sentence = ("broken", fault) if type(fault) is str else fault
            self.sound &= state != "broken"
            self.lines.append(re.sub(r"[^ -~]", "?", f"{state:<9}  {what}: {sentence}"[:400]))

    def archive(self):
        """Every byte of it is as its files determine."""
        with zipfile.ZipFile(whole := io.BytesIO(), "w") as archive:
            for name in NAMES:
                info = zipfile.ZipInfo(name)
                info.create_system, info.external_attr = 3, 0o600 << 16
                archive.writestr(info, self.files[name])
        right, ends = whole.getvalue(), itertools.accumulate(30 + len(n) + len(b) for n, b in self.files.items())
        changed = (i for i in range(max(len(right), len(self.raw))) if self.raw[i : i + 1] != right[i : i + 1])
        for i in itertools.islice(changed, right != self.raw):  # the first, if there is one
            yield f"{[*NAMES, 'the end'][sum(i >= end for end in ends)]}: byte {i} does not agree with the rest"

    def manifest(self):
        """All files are as the host listed and signed them."""
        for name, form in FILES.items():
            try:
                self.docs[name] = doc = read_json(self.files[name], b"\n")
                yield "" if fits(doc, form) else f"{name}: {MISFIT}"
                for n, row in enumerate(doc[name[:-5]] if name[:-5] in ROWS else ()):
                    yield "" if fits(row, ROWS[name[:-5]]) else f"{name}: entry {n}: {MISFIT}"
            except (ValueError, RecursionError) as fault:
                yield f"{name}: {fault}"
        text = self.files["README.txt"]
        yield "" if text.decode(errors="replace").encode() == text else "README.txt is no UTF-8 text"
        self.keys = {key["id"]: key["public"] for key in self.docs["keys.json"]["keys"]}
        right = {name: {"bytes": len(raw), "sha256": sha256(raw).hexdigest()} for name, raw in self.files.items()}
        yield from unlike("", self.docs["manifest.json"]["files"], {name: right[name] for name in NAMES[2:]})
        yield "files lists another" if len(self.docs["manifest.json"]["files"]) != len(NAMES[2:]) else ""
        yield distrust(self.keys, self.docs["signature.json"], "bundle", self.files["manifest.json"])

    def history(self):
        """Every event is whole and follows the one before, and what was sealed is what was said."""
        *lines, end, nothing = self.files["events.ndjson"].split(b"\n")
        before, shut = {"hash": "0" * 64, "version": 0, "at": ""}, []
        for number, line in enumerate(lines, 1):
            try:
                event = read_json(line)
                leaves = event["sealed"] if fits(event, EVENT) else [event]
                if not all(fits(leaf, SHUT) or fits(leaf, OPEN) for leaf in leaves):
                    raise ValueError(MISFIT)
            except (ValueError, RecursionError) as fault:
                yield f"event {number}: {fault}"
                before = {"version": number, "at": ""}
                continue
            bare = {**event, "sealed": [part(leaf, "commitment for") for leaf in leaves]}
            right = {"hash": digest("event", {name: bare[name] for name in bare if name != "hash"}), "version": number}
            right.update(previous=before.get("hash", event["previous"]), game=before.get("game", event["game"]))
            yield from unlike(f"event {number}: its ", event, {**right, "at": max(before["at"], event["at"])})
            for leaf in (leaf for leaf in leaves if "salt" in leaf):
                same = digest("leaf", leaf["data"], bytes.fromhex(leaf["salt"])) == leaf["commitment"]
                yield "" if same else f"event {number}: what a leaf says is not what was sealed"
                mute = None in leaf["data"].values() and event["type"] != "table.orders-dropped"
                yield f"event {number}: a leaf is open and says null" if mute else ""
            self.events[number] = before = event
            shut += [number] if any("salt" not in leaf for leaf in leaves) else []
        last = canonical({"end": part({"hash": "", **before}, "hash version")})
        yield "" if [end, nothing] == [last, b""] else f"event {before['version']}: the end line is of another"
        self.over = any(event["type"] in OVER for event in self.events.values())
        yield from (("broken" if self.over else "open", f"event {number}: a leaf is shut") for number in shut)
        about, right = self.docs["manifest.json"], {**part(before, "at game hash version"), "over": self.over}
        right["reader"] = None if self.over else about["reader"]
        yield from unlike("manifest.json: its ", about, {**right, **part(self.events[1]["data"], "ruleset")})

    def table(self):
        """What is recorded of the table has its fields, and follows from what came before it."""
        reader, seats, undone, revealed = self.docs["manifest.json"]["reader"], 0, set(), 0
        for n, event in self.events.items():
            data, kind, seed = event["data"], event["type"], TABLE["table.seed-revealed"]
            form = TABLE.get(kind, {})
            whole, fault = fits({name: data[name] for name in form if name in data}, form), ""
            if n == 1 or kind == "table.game-opened":
                leaves = [(leaf["for"], fits(leaf.get("data", {"seed": "0" * 64}), seed)) for leaf in event["sealed"]]
                first = (n, kind, leaves) == (1, "table.game-opened", [("nobody", True)])
                fault = "" if first else "it opens no table, as event 1 does alone, with one leaf for the seed"
            seats = data["seats"] if n == 1 and whole else len(data["seats"]) if whole and "started" in kind else seats
            if whole and kind == "table.rewound":
                fault = "" if data["to"] in {*range(1, n)} - undone else "its to is no event before it that stands"
                undone.update(range(data["to"] + 1, n))
            revealed += kind == "table.seed-revealed"
            fault = "the seed is revealed again" if kind == "table.seed-revealed" and revealed > 1 else fault
            yield (fault if whole else f"in its data {MISFIT}") and f"event {n}: {fault or MISFIT}"
        yield "" if reader is None or reader < seats else f"manifest.json: its reader, seat {reader}, is not here"

    def leaves(self):
        """Open are those that the reader of a running game may see, no others; bids were opened as they were made."""
        reader, last, opened, stood = self.docs["manifest.json"]["reader"], {}, set(), {}
        for n, event in self.events.items():
            data, kind, leaves = event["data"], event["type"], event["sealed"] if event["type"] not in LASTING else []
            last = {**last, **{leaf["for"]: (n, leaf) for leaf in leaves if leaf["for"] != "nobody"}}
            last = stood[data["to"]] if kind == "table.rewound" else last
            for seat, (bid, leaf) in last.items() if kind == OPENING else ():
                pair = [data["bids"][str(seat)], leaf["data"]["chips"]] if "data" in leaf else []
                pair = [{colour: chips[colour] for colour in chips if chips[colour]} for chips in pair]
                yield f"event {n}: it does not open what event {bid} sealed" if pair[:1] != pair[1:] else ""
                opened.add(bid)
            stood[n] = last = {} if kind == OPENING else last
        for n, event in () if self.over else self.events.items():
            for own, is_open in ((leaf["for"] == reader, "salt" in leaf) for leaf in event["sealed"]):
                wrong = not own and n not in opened if is_open else n in opened or own
                yield f"event {n}: a leaf is {'open' if is_open else 'shut'}, and should not be so" if wrong else ""

    def rules(self):
        """Ruleset and options are those of event 1; every event is of a type and a schema the host can read."""
        doc = self.docs["rules.json"]
        yield from unlike("its ", doc, part(self.events[1]["data"], "options ruleset"))
        for n, event in self.events.items():
            newest = doc["schemas"].get(event["type"], -1)
            yield f"event {n}: its type is not in schemas, or its schema is newer" if event["schema"] > newest else ""

    def draws(self):
        """Each is what the seed, to which event 1 committed, and the nonces give."""
        doc, nonces, made, seed = self.docs["draws.json"], {}, {}, None
        for n, event in self.events.items():
            data, kind = event["data"], event["type"]
            nonces.update({data["seat"]: data["nonce"]} if kind == "table.seat-taken" else {})
            nonces.pop(data["seat"] if kind == "table.seat-left" else None, None)
            if kind == "table.game-started":
                same = sorted(data["seats"]) == sorted(nonces)
                yield "" if same else f"event {n}: its seats are not the chairs that are taken"
                nonces = {new: nonces[old] for new, old in enumerate(data["seats"])}
            seed = data["seed"] if kind == "table.seed-revealed" else seed
            yield from unlike(f"event {n}: its ", data if kind == "table.seed-revealed" else doc, part(doc, "seed"))
            made[n] = [one for one in (data, *(leaf.get("data", {}) for leaf in event["sealed"])) if "draw" in one]
        right = part(self.events[1]["data"], "seed_commitment")
        yield from unlike("", doc, {**right, "nonces": [nonces[seat] for seat in sorted(nonces)], "seed": seed})
        numbers = [one["draw"]["index"] for n in made for one in made[n]]
        shut = sum("salt" not in leaf for event in self.events.values() for leaf in event["sealed"])
        gaps = max(numbers, default=-1) + 1 - len(numbers)
        yield "" if numbers == sorted({*numbers}) and gaps <= shut else "indices do not count 0, 1, 2 over the history"
        if doc["seed"] is None:
            state = "broken" if self.over or doc["draws"] else "open"
            yield state, "no draw can be checked before the seed is revealed"
            return
        yield from unlike("", {"seed_commitment": sha256(bytes.fromhex(doc["seed"])).hexdigest()}, right)
        yield from unlike("event 1: of its leaf ", self.events[1]["sealed"][0]["data"], part(doc, "seed"))
        versions = [draw["version"] for draw in doc["draws"]]
        yield "" if versions == sorted({*versions}) else "draws are out of order, or told twice"
        for index, draw in enumerate(doc["draws"]):
            yield f"event {draw['version']}: no such draw is made" if is_odd(draw, len(nonces)) else ""
            drawn, (said,) = sample(doc["seed"], doc["nonces"], draw), made.pop(draw["version"])
            right = {"draw": part(draw, "index label"), "index": index, "result": came_of(draw["label"], drawn, said)}
            yield from unlike(f"event {draw['version']}: of its draw ", {**draw, **part(said, "draw result")}, right)
        yield from (f"event {n}: its draw is not in draws.json" for n in made if made[n])

    def clock(self):
        """No turn expired before its due and grace; no due was moved earlier; each gives the move and the bank."""
        if not any("due" in event["data"] for event in self.events.values()):
            yield "unchecked", "no event tells a due"
            return
        clock, holds = Clock(self.events[1]["data"]["clock"]), True
        for _, request in itertools.groupby(self.events.values(), lambda event: event["cause"]):
            for fault in filter(None, clock.request([*request])):
                yield fault
                holds = False
        if not clock.plain:
            yield from [("verified", self.clock.__doc__)] if holds else []
            yield "unchecked", "nights, weekends and leave of a person are not in the record: a due has bounds alone"

    def notices(self):
        """Each is of an event, not before it, to a seat; while the game runs to the reader's."""
        notices, seats = self.docs["notices.json"]["notices"], self.events[1]["data"]["seats"]
        places = [[row[field] for field in ("queued", "version", "seat", "kind")] for row in notices]
        yield "" if places == sorted(places) else "they are out of order"
        for row in notices:
            n, sent, reader = row["version"], row["sent"], self.docs["manifest.json"]["reader"]
            right = {"version": n in self.events, "sent": (sent is not None) == (row["state"] in ("sent", "bounced"))}
            right["seat"] = row["seat"] < seats if self.over else row["seat"] == reader
            right["time"] = self.events.get(n, {"at": ""})["at"] <= row["queued"] <= (sent or row["queued"])
            yield from (f"event {n}: a notice of it has a {name} that cannot be" for name in right if not right[name])

    def checkpoints(self):
        """Each is of its event and signed; the last is of the last event."""
        numbers = [point["version"] for point in self.docs["checkpoints.json"]["checkpoints"]]
        for point in self.docs["checkpoints.json"]["checkpoints"]:
            where = f"checkpoint of event {point['version']}: "
            yield from unlike(where, point, part(head_of(self.events[point["version"]]), HEAD))
            yield distrust(self.keys, point, "checkpoint", canonical(part(point, HEAD)), where)
        yield "" if numbers == sorted({*numbers, max(self.events)}) else "out of order, or none is of the last event"

    def vouched(self, known):
        """Each has its id, and is known or endorsed by one before it that is."""
        self.trusted, listed, since = {}, set(), ""
        trusted = self.trusted
        for key in self.docs["keys.json"]["keys"]:
            by, own = key["endorsement"], sha256(bytes.fromhex(key["public"])).hexdigest()[:16]
            fault = by and distrust(trusted, by, "key", canonical(part(key, "id public since")))
            good = not fault and own == key["id"] and (by or known is None or known.get(own) == key["public"])
            trusted.update({own: key["public"]} if good else {})
            late = own in listed or key["since"] < since
            yield f"key {key['id']}: it is listed twice, or is older than the one before it" if late else ""
            listed, since = {*listed, own}, key["since"]
            yield "" if good else f"key {key['id']}: {fault or 'none that you know vouches for it'}"

    def told(self, told, games, known):
        """The history is still the one that was told of."""
        number, key, here, fault = told["version"], told.get("key"), self.events[1]["game"], ""
        keys, elsewhere = {**(known or {}), **self.trusted}, told.get("game", here) != here
        if elsewhere:
            fault = f"it is of another game, {told['game']}"
        elif number > max(self.events):
            fault = f"event {number} is gone: the history was cut after event {max(self.events)}"
        elif any(head_of(self.events[number]).get(name, told[name]) != told[name] for name in told):
            fault = f"event {number} was rewritten, or what came before it: it is not the one that was told of"
        false = key in keys and distrust(keys, told, "checkpoint", canonical(part(told, HEAD)))
        unknown = key and key not in keys and (elsewhere or known or not fault)
        doubt = false or unknown or (elsewhere and here in games)
        yield ("unchecked", fault or f"it fits, but no key that counts signed it: {key}") if doubt else fault


def tellings(argument):
    """What a receipt, or each header of a mail saved whole, tells; ValueError if it is neither."""
    read = argument.rpartition(":")[2].strip(AROUND).upper().translate({ord("O"): "0", ord("I"): "1", ord("L"): "1"})
    words = "".join(" " if unicodedata.category(sign) in HIDDEN else sign for sign in read).split()
    form = rf"0*([1-9][0-9]{{0,15}}) ([{BASE_32}]{{25}})([{BASE_32}]?)"
    if code := re.fullmatch(form, " ".join([*words[:1], "".join(words[1:])])):
        twice = [BASE_32.index(sign) * (1 + n % 2) for n, sign in enumerate(reversed(code[1] + code[2] + code[3]))]
        if code[3] and sum(value // 32 + value % 32 for value in twice) % 32:
            raise ValueError("this receipt was mistyped: its last letter does not fit the others")
        return [{"version": int(code[1]), "receipt": code[2]}]
    mail, mails = email.message_from_bytes(Path(argument).read_bytes()), []
    for header in (header for entity in mail.walk() for header in entity.get_all("Wardroom-Checkpoint", [])):
        pairs = [field.partition("=")[::2] for field in re.sub(r"\s", "", str(header)).split(";")]
        if not fits(dict(pairs), HEADER) or len(pairs) != len(HEADER):
            raise ValueError("a header Wardroom-Checkpoint of this mail was changed or cut")
        mails.append({**part(dict(pairs), f"{HEAD} key signature"), "version": int(dict(pairs)["version"])})
    if not mails:
        raise ValueError("there is no header Wardroom-Checkpoint")
    return mails


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--receipt", action="append", default=[], help="of a mail's footer, or a mail saved whole")
    parser.add_argument("--keys", type=Path, help="the host's keys as you noted them: /.well-known/wardroom-keys")
    options = parser.parse_args()
    try:
        told = [(name, telling) for name in options.receipt for telling in tellings(name)]
        keys = options.keys and {key["id"]: key["public"] for key in json.loads(options.keys.read_bytes())["keys"]}
        check = Check(options.bundle.read_bytes(), told, keys)
    except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
        parser.error(f"it cannot be read: {error} (a receipt is a whole code of a footer, or a mail with its headers)")
    print("\n".join([*check.lines, "It holds." if check.sound else "It is BROKEN."]))
    sys.exit(0 if check.sound else 1)
