"""Make audit bundles by hand from docs/audit/format.md: an independent producer, and the golden vectors it gives.

`python tests/audit/maker.py` writes vectors/ anew, byte for byte the same each time. Ids and events are made up; what
the page says of their form holds. Signatures are the `cryptography` package's, so that the verifier's own are checked.
"""

import hashlib
import hmac
import json
import struct
import zlib
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

VECTORS = Path(__file__).parent / "vectors"
NAMES = "README.txt events.ndjson rules.json draws.json notices.json checkpoints.json keys.json".split()
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
SEED = hashlib.sha256(b"a seed made up for the vectors").hexdigest()
ZONES = {"zone-1": (1, 2, 4, 7, 6), "zone-2": (9, 15, 8, 5, 3), "zone-3": (17, 11, 13, 10)}


def canonical(value):
    """Canonical JSON (RFC 8785) of what the page allows."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def sha256(*parts):
    """SHA-256 of some bytes, in hex."""
    return hashlib.sha256(b"".join(parts)).hexdigest()


def clock(n):
    """A time `n` minutes after the first."""
    return f"2026-11-{20 + n // 1440:02}T{n % 1440 // 60:02}:{n % 60:02}:41.123456Z"


# -- keys and signatures


class Key:
    """A key of the host's, made from a word."""

    def __init__(self, word, since, elder=None):
        """Derive the key, and let `elder` vouch for it."""
        self.private = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(word.encode()).digest())
        self.public = self.private.public_key().public_bytes_raw()
        self.id = sha256(self.public)[:16]
        self.row = {"id": self.id, "public": self.public.hex(), "since": since}
        self.row["endorsement"] = elder.sign(b"wardroom-key-v1\n" + canonical(self.row)) if elder else None

    def sign(self, message):
        """The object that says who signed, and how."""
        return {"key": self.id, "signature": self.private.sign(message).hex()}


OLD = Key("the first key of a made-up host", clock(0))
NEW = Key("the second key of a made-up host", clock(30), OLD)


def head(event):
    """What checkpoint and receipt are about."""
    return {"game": event["game"], "hash": event["hash"], "time": event["at"], "version": event["version"]}


def checkpoint(event, key=OLD):
    """A signed head."""
    return {**head(event), **key.sign(b"wardroom-checkpoint-v1\n" + canonical(head(event)))}


def receipt(event):
    """The receipt of an event, with its dashes."""
    bits = "".join(f"{byte:08b}" for byte in hashlib.sha256(b"wardroom-receipt-v1\n" + canonical(head(event))).digest())
    signs = "".join(ALPHABET[int(bits[i : i + 5], 2)] for i in range(0, 125, 5))
    return "-".join([str(event["version"]), *(signs[i : i + 5] for i in range(0, 25, 5))])


def mail(*checkpoints, footer=""):
    """A mail that carries checkpoints, folded as mailers fold."""
    fields = ("game", "version", "time", "hash", "key", "signature")
    lines = [";\r\n ".join(["v=1", *(f"{f}={c[f]}" for f in fields)]) for c in checkpoints]
    told = "".join(f"Wardroom-Checkpoint: {line}\r\n" for line in lines)
    return f"From: host@example.org\r\nSubject: Your turn\r\n{told}\r\nIt is your turn.\r\n{footer}\r\n".encode()


# -- the history


def leaf(whom, data, name):
    """An open leaf; its salt comes from its name."""
    salt = hashlib.sha256(name.encode()).digest()
    commitment = sha256(b"wardroom-leaf-v1\n", salt, canonical(data))
    return {"commitment": commitment, "for": whom, "data": data, "salt": salt.hex()}


def event_hash(event):
    """The hash of an event, whatever of its leaves is open."""
    sealed = [{"commitment": one["commitment"], "for": one["for"]} for one in event["sealed"]]
    rest = {name: event[name] for name in event if name not in ("hash", "sealed")}
    return sha256(b"wardroom-event-v1\n", canonical({**rest, "sealed": sealed}))


def follow(event, before):
    """Number an event and hash it onto the one before; in place."""
    event["version"], event["previous"] = (before["version"] + 1, before["hash"]) if before else (1, "0" * 64)
    event["hash"] = event_hash(event)
    return event


def chain(events):
    """The events, each hashed anew onto the one before; in place."""
    for n, event in enumerate(events):
        follow(event, events[n - 1] if n else None)
    return events


class History:
    """A game told by hand: events are added in their order, draws come from the seed."""

    def __init__(self, game, seats):
        """Open the table; `seats` are the nonces by chair as they will be when the game starts."""
        self.game, self.events, self.draws, self.nonces = game, [], [], seats
        commitment = sha256(bytes.fromhex(SEED))
        opened = {
            "ruleset": "city-hall",
            "seats": 3,
            "options": {"expert": False, "name": "Größe – 好"},
            "public": True,
        }
        opened.update(clock={"days": 3}, host="p_1", seed_commitment=commitment)
        self.add("table.game-opened", opened, {"host": "p_1"}, [leaf("nobody", {"seed": SEED}, f"{game} seed")])

    def add(self, kind, data, actor=None, sealed=(), schema=1):
        """One more event."""
        n = len(self.events)
        event = {
            "actor": actor or {"clock": True},
            "at": clock(3 * n),
            "cause": f"c{n}",
            "data": data,
            "game": self.game,
        }
        event.update(schema=schema, sealed=[*sealed], type=kind)
        self.events.append(follow(event, self.events[-1] if n else None))

    def take(self, seat, nonce, by="player", **more):
        """Somebody takes a chair."""
        bot = {"strength": 0, "temper": "even"} if by == "server" else None
        data = {"seat": seat, "player": f"p_{seat}", "nonce": nonce, "nonce_by": by, "bot": bot, **more}
        self.add("table.seat-taken", data, {"host": f"p_{seat}"})

    def draw(self, kind, label, items, take, secret=None, **more):
        """An event with a draw; in a leaf for `secret` where that is a seat."""
        index = len(self.draws)
        drawn = sample(draw_key(SEED, self.nonces), label, index, items, take)
        self.draws.append(
            {"index": index, "items": items, "label": label, "take": take, "version": len(self.events) + 1}
        )
        data = {"draw": {"index": index, "label": label}, "result": result(label, drawn, items, more), **more}
        if secret is None:
            self.add(kind, data, {"chance": index})
        else:
            self.add(kind, {}, {"chance": index}, [leaf(secret, data, f"{self.game} draw {index}")])

    def end(self):
        """Finish the game and reveal the seed."""
        self.add("table.game-finished", {"scores": [12, 9, 3]})
        self.add("table.seed-revealed", {"seed": SEED})


# -- chance


def draw_key(seed, nonces):
    """The key of all draws of a game."""
    return hmac.new(bytes.fromhex(seed), canonical(nonces), hashlib.sha256).digest()


def words(key, label, index, count):
    """The first words a draw reads."""
    blocks = range(count // 4 + 1)
    stream = b"".join(hmac.new(key, f"{label}:{index}:{b}".encode(), hashlib.sha256).digest() for b in blocks)
    return list(struct.unpack(f">{len(stream) // 8}Q", stream))[:count]


def below(stream, n):
    """A number below `n`; takes what it reads off `stream`."""
    while (word := stream.pop(0)) >= 2**64 - 2**64 % n:
        pass
    return word % n


def sample(key, label, index, items, take):
    """Draw `take` of `items`, in order."""
    stream, items = words(key, label, index, 4 * len(items) + 8), list(items)
    for j in range(take):
        other = j + below(stream, len(items) - j)
        items[j], items[other] = items[other], items[j]
    return items[:take]


def result(label, drawn, items, more):
    """What the event says came of it."""
    if label in ZONES:
        by_ward = {str(ward): colour for ward, colour in zip(ZONES[label], drawn, strict=True)}
        return {**by_ward, "14": "irish"} if label == "zone-1" else by_ward
    if label == "garden":
        return {**dict.fromkeys(sorted(set(items))[:2], 0), **{colour: drawn.count(colour) for colour in drawn}}
    if label == "permits":
        return drawn + [f"known-{n}" for n in range(more.get("bottom", 0))]
    return drawn if label == "turn-order" else drawn[0]


# -- the bundle


def redact(events, reader):
    """The events as a reader of a running game gets them."""
    kept = []
    for event in events:
        shut = [one if one["for"] == reader else {f: one[f] for f in ("commitment", "for")} for one in event["sealed"]]
        kept.append({**event, "sealed": shut})
    return kept


def files(history, *, over, reader=None, notices=(), heads=None, keys=(OLD,)):
    """The files of a bundle but manifest and signature, as values or bytes."""
    events = history.events if over else redact(history.events, reader)
    lines = [*events, {"end": {"hash": events[-1]["hash"], "version": len(events)}}]
    opened, told = events[0]["data"], heads or [(len(events), OLD)]
    return {
        "README.txt": "How to check this: python3 verify_bundle.py BUNDLE.zip – no more.\n".encode(),
        "events.ndjson": b"".join(canonical(line) + b"\n" for line in lines),
        "rules.json": {
            "board": {"wards": [1, 2, 3]},
            "edition": "1",
            "options": opened["options"],
            "ruleset": "city-hall",
            "schemas": {event["type"]: 2 for event in events},
        },
        "draws.json": {
            "draws": history.draws if over else [],
            "nonces": history.nonces,
            "seed": SEED if over else None,
            "seed_commitment": opened["seed_commitment"],
        },
        "notices.json": {"notices": [*notices]},
        "checkpoints.json": {"checkpoints": [checkpoint(events[n - 1], key) for n, key in told]},
        "keys.json": {"keys": [key.row for key in keys]},
    }


def pack(contents):
    """The archive of files, name and bytes, in their order."""
    local, central = b"", b""
    for name, body in contents.items():
        common = struct.pack("<HHHHHLLLHH", 20, 0, 0, 0, 0x21, zlib.crc32(body), len(body), len(body), len(name), 0)
        entry = struct.pack("<LH", 0x02014B50, 0x0314) + common + struct.pack("<HHHLL", 0, 0, 0, 0x01800000, len(local))
        central += entry + name.encode()
        local += struct.pack("<L", 0x04034B50) + common + name.encode() + body
    return local + central + struct.pack("<LHHHHLLH", 0x06054B50, 0, 0, 9, 9, len(central), len(local), 0)


def seal(contents, *, over, reader=None, key=OLD, manifest=None):
    """The bundle: the files under their manifest, signed."""
    raw = {name: value if type(value) is bytes else canonical(value) + b"\n" for name, value in contents.items()}
    last, first = (json.loads(raw["events.ndjson"].split(b"\n")[n]) for n in (-3, 0))
    about = {"at": last["at"], "format": "wardroom-bundle-1", "game": last["game"], "hash": last["hash"], "over": over}
    about.update(reader=reader, ruleset=first["data"]["ruleset"], version=last["version"])
    about.update(manifest or {})
    about["files"] = {name: {"bytes": len(raw[name]), "sha256": sha256(raw[name])} for name in NAMES}
    manifest = canonical(about) + b"\n"
    signature = canonical(key.sign(b"wardroom-bundle-v1\n" + manifest)) + b"\n"
    return pack({"manifest.json": manifest, "signature.json": signature, **raw})


# -- three games


COLOURS = ["english", "german", "irish", "italian"]
LABELS = ("first-player", "turn-order", *ZONES, "garden", "land", "permits")


def notice(kind, event, seat, late=0, state="sent"):
    """One thing announced."""
    queued, sent = f"{event['at'][:-7]}{200000 + late}Z", f"{event['at'][:-7]}900000Z"
    return {
        "kind": kind,
        "queued": queued,
        "seat": seat,
        "sent": sent if state in ("sent", "bounced") else None,
        "state": state,
        "version": event["version"],
    }


def finished_game():
    """A game that is over, with a draw of every label: one in a leaf, and one garden of nothing."""
    game = History("k7x2m9qd4t", ["nonce of Anna", "", 'Größe – 好 😀\n"\\\u007f'])
    for seat, nonce in enumerate(game.nonces):
        game.take(seat, nonce, "server" if seat == 1 else "player")
    game.add("table.game-started", {"seats": [0, 1, 2]}, {"host": "p_1"})
    game.draw("city-hall.first-player-drawn", "first-player", [0, 1, 2], 1)
    game.draw("city-hall.order-drawn", "turn-order", [2, 0, 1], 3)
    for zone, wards in ZONES.items():
        game.draw("city-hall.zone-peopled", zone, (COLOURS * 2)[: len(wards)], len(wards))
    game.draw("city-hall.garden-filled", "garden", COLOURS * 5, 7)
    game.draw("city-hall.garden-filled", "garden", [], 0)
    game.draw("city-hall.land-drawn", "land", [f"card-{n}" for n in range(20)], 1)
    game.draw("city-hall.permits-shuffled", "permits", [f"permit-{n}" for n in range(9)], 6, secret=1, bottom=2)
    game.draw("city-hall.permits-shuffled", "permits", [f"permit-{n}" for n in range(3)], 3)
    bid = leaf(2, {"amount": 4, "text": "bid 4"}, "bid of seat 2")
    game.add("city-hall.bid-made", {}, {"seat": 2}, [bid, leaf(1, {"why": "two leaves"}, "another")])
    game.add("city-hall.bids-opened", {"bids": [0, 1, 4], "text": "bids 0 1 4"}, schema=2)
    game.end()
    return game


def finished():
    """The finished game as its files; also the smallest use of notices and checkpoints."""
    game = finished_game()
    told = [notice("your-turn", game.events[6], 0), notice("your-turn", game.events[6], 2)]
    told += [
        notice("deadline-passed", game.events[9], 1, 1, "superseded"),
        notice("game-over", game.events[-1], 1, 0, "bounced"),
    ]
    return files(game, over=True, notices=told, heads=[(1, OLD), (7, OLD), (len(game.events), OLD)])


def running_game():
    """A game that goes on: a chair left and taken again, bids sealed and opened, orders filed and dropped."""
    game = History("m4t8zz01ab", ["again", "one", "two"])
    for seat, nonce in enumerate(("gone", "one", "two")):
        game.take(seat, nonce)
    game.add("table.seat-left", {"seat": 0, "host": "p_1"}, {"host": "p_0"})
    game.take(0, "again")
    game.add("table.game-started", {"seats": [0, 1, 2]}, {"host": "p_1"})
    game.draw("city-hall.first-player-drawn", "first-player", [0, 1, 2], 1)
    for seat in (0, 1, 2):
        bid = leaf(seat, {"amount": seat, "text": f"bid {seat}"}, f"bid of {seat}")
        game.add("city-hall.bid-made", {}, {"seat": seat}, [bid])
    game.draw("city-hall.permits-shuffled", "permits", ["a", "b", "c", "d"], 3, secret=0)
    game.add("table.orders-filed", {}, {"seat": 1}, [leaf(1, {"orders": ["pass"]}, "orders of 1")])
    game.add("table.orders-dropped", {}, None, [leaf(1, {"why": "no such ward"}, "dropped of 1")])
    game.draw("city-hall.land-drawn", "land", ["x", "y"], 1)
    return game


def running():
    """The running game as seat 1 may have it."""
    game = running_game()
    told = [notice("your-turn", game.events[8], 1), notice("your-turn", game.events[10], 1, 0, "queued")]
    return files(game, over=False, reader=1, notices=told, heads=[(9, OLD), (len(game.events), OLD)])


def rewound_game():
    """A game with empty chairs, so that seats are renumbered; rewound thrice, draws numbered on."""
    game = History("r3w0undgame", ["four", "one"])
    for seat, nonce in ((1, "one"), (4, "four"), (2, "left")):
        game.take(seat, nonce)
    game.add("table.seat-left", {"seat": 2, "host": "p_1"}, {"host": "p_2"})
    game.add("table.game-started", {"seats": [4, 1]}, {"host": "p_1"})
    game.draw("city-hall.first-player-drawn", "first-player", [0, 1], 1)  # event 7
    game.draw("city-hall.land-drawn", "land", ["x", "y", "z"], 1)
    game.add("table.rewound", {"to": 7}, {"host": "p_1"})
    game.draw("city-hall.land-drawn", "land", ["x", "y", "z"], 1)  # event 10
    game.draw("city-hall.land-drawn", "land", ["y", "z"], 1)
    game.add("table.rewound", {"to": 10}, {"host": "p_1"})
    game.add("table.rewound", {"to": 9}, {"host": "p_1"})
    game.end()
    return game


def rewound():
    """The rewound game, its later checkpoints by a second key that the first vouches for."""
    game = rewound_game()
    heads = [(2, OLD), (10, NEW), (len(game.events), NEW)]
    return files(game, over=True, heads=heads, keys=(OLD, NEW))


def bundles():
    """Every vector: what is in it, and how it is sealed."""
    return {
        "finished": (finished(), {"over": True}),
        "running": (running(), {"over": False, "reader": 1}),
        "rewound": (rewound(), {"over": True, "key": NEW}),
    }


VALUES = (
    {"b": [True, False, None, 0, -1, 2**53 - 1], "a": {"": "Ä\u2028\U0001f600"}, "B": [], "aa": {}},
    {"signs": '\b\t\n\f\r\0\x1f\x7f\x80"\\/<'},
    {},
)


def primitives():
    """Each thing the page computes, once or more, with what goes in and what comes out."""
    game = finished_game()
    first, sealed, last = game.events[0], game.events[15], game.events[-1]
    key = draw_key(SEED, game.nonces)
    return {
        "canonical": [{"json": canonical(value).decode(), "value": value} for value in VALUES],
        "event": [{"event": event, "hash": event["hash"]} for event in (first, sealed)],
        "leaf": [{"leaf": one, "commitment": one["commitment"]} for one in sealed["sealed"]],
        "receipt": [{"head": head(event), "receipt": receipt(event)} for event in (first, last)],
        "checkpoint": [{"message": (b"wardroom-checkpoint-v1\n" + canonical(head(last))).decode(), **checkpoint(last)}],
        "key": [{"public": key.public.hex(), "id": key.id} for key in (OLD, NEW)],
        "endorsement": [NEW.row],
        "draw-key": {"seed": SEED, "nonces": game.nonces, "key": key.hex()},
        "words": [{"label": "land", "index": 7, "words": words(key, "land", 7, 9)}],
        "below": [
            {"label": "land", "index": i, "n": n, "below": below(words(key, "land", i, 64), n)}
            for i, n in enumerate((1, 2, 3, 2**32, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1))
        ],
        "sample": [
            {**draw, "drawn": sample(key, draw["label"], draw["index"], draw["items"], draw["take"])}
            for draw in game.draws
        ],
    }


def main():
    """Write the vectors."""
    VECTORS.mkdir(exist_ok=True)
    for name, (contents, how) in bundles().items():
        (VECTORS / f"{name}.zip").write_bytes(seal(contents, **how))
    text = json.dumps(primitives(), indent=1, sort_keys=True)
    (VECTORS / "vectors.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
