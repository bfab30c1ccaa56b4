"""Check a Wardroom house log by log.md beside this file. Exit 0: it holds, 1: something is broken, 2: usage."""

import argparse
import email
import json
import re
import sys
from hashlib import sha256
from pathlib import Path

from verify_bundle import HASH, NUMBER, SIGNED, TEXT, TIME, canonical, distrust, fits, part

HEAD = {"root": HASH, "size": NUMBER, "time": TIME, **SIGNED}
ENTRY = {"game": TEXT, "hash": HASH, "time": TIME, "version": NUMBER, "what": '"(opened|ended)"'}


def node(left, right):
    """The hash of two subtrees."""
    return sha256(b"\1" + left + right).digest()


def walk(number, last, hashes, both):
    """Climb from a leaf to the root by RFC 9162: the roots of the list up to it and of the whole; None if it fails."""
    before = after = next(hashes, b"")
    for step in hashes:
        if last == 0:
            return None
        if number & 1 or number == last:
            before, after = node(step, before), node(step, after)
            while not number & 1 and number:
                number, last = number >> 1, last >> 1
        else:
            after, before = node(after, step), before if both else node(before, step)
        number, last = number >> 1, last >> 1
    return (before, after) if last == 0 else None


def grew(old, new, proof):
    """Whether a list with the root of `old` is the beginning of one with that of `new` (2.1.4.2)."""
    if old["size"] == new["size"]:
        return old["root"] == new["root"] and not proof
    number, last, path = old["size"] - 1, new["size"] - 1, [bytes.fromhex(step) for step in proof]
    if old["size"] & (old["size"] - 1) == 0:
        path.insert(0, bytes.fromhex(old["root"]))
    while number & 1:
        number, last = number >> 1, last >> 1
    roots = walk(number, last, iter(path), True) if path and old["size"] < new["size"] else None
    return roots == (bytes.fromhex(old["root"]), bytes.fromhex(new["root"]))


def holds(row, head):
    """Whether an entry is at its place (2.1.3.2)."""
    if not fits(row["entry"], ENTRY) or not 0 <= row["place"] < head["size"]:
        return False
    path = [sha256(b"\0" + canonical(row["entry"])).digest(), *map(bytes.fromhex, row["inclusion"])]
    roots = walk(row["place"], head["size"] - 1, iter(path), False)
    return roots is not None and roots[1].hex() == head["root"]


def shown(claim, *about):
    """Whether a claim holds; what is of another form shows nothing."""
    try:
        return claim(*about)
    except (ValueError, TypeError, LookupError, AttributeError):
        return False


def read_head(path):
    """The head in a saved mail, or in an earlier answer of the host's."""
    raw = Path(path).read_bytes()
    if raw.lstrip()[:1] == b"{":
        head = json.loads(raw)
        head = head.get("head", head)
    else:
        mail = email.message_from_bytes(raw)
        header = next(value for entity in mail.walk() for value in entity.get_all("Wardroom-Log", []))
        pairs = [field.partition("=")[::2] for field in re.sub(r"\s", "", str(header)).split(";")]
        head = dict(pairs)
        if len(pairs) != 6 or head.pop("v") != "1" or not re.fullmatch("[1-9][0-9]{0,15}", head["size"]):
            raise ValueError("its header Wardroom-Log was changed")
        head["size"] = int(head["size"])
    if not fits(head, HEAD):
        raise ValueError(f"{path} has no head of a log")
    return head


def check(log, kept, keys):
    """Lines about a log and heads that were kept, and whether none is broken."""
    new, lines = log["head"], []
    if not fits(new, HEAD):
        raise ValueError("it has no head of a log")
    for head in (*kept, new):
        name, told = f"the head of {head['size']} entries", part(head, "root size time")
        if keys is None:
            lines.append(f"unchecked  {name}: give --keys to see whether the host signed it")
        elif head["key"] not in keys or distrust(keys, head, "log", canonical(told)):
            lines.append(f"broken     {name} is not signed by a key you noted: it proves nothing")
        else:
            lines.append(f"verified   {name} is signed by key {head['key']}")
    for old in kept:
        if old["size"] not in (log.get("from"), new["size"]):
            lines.append(
                f"broken     the log was not asked for with ?from={old['size']}: it proves nothing about that head"
            )
        elif shown(grew, old, new, log.get("consistency", []) if log.get("from") == old["size"] else []):
            lines.append(f"verified   the first {old['size']} of {new['size']} entries are as they were")
        else:
            lines.append(f"broken     the log of {old['size']} entries was cut or rewritten, or is newer than this one")
    for row in log.get("entries", []):
        told = json.dumps(row["entry"]) if type(row) is dict and "entry" in row else "an entry of it"
        lines.append(f"verified   {told}" if shown(holds, row, new) else f"broken     {told} is not in the log")
    lines.append("unchecked  whether the host shows everybody this log: compare heads with the others at your table")
    return [re.sub(r"[^ -~]", "?", line[:400]) for line in lines]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("log", type=Path, help="/.well-known/wardroom-log?from=SIZE, saved")
    parser.add_argument("--head", action="append", default=[], help="a mail saved whole, or an earlier answer")
    parser.add_argument("--keys", type=Path, help="the host's keys as you noted them: /.well-known/wardroom-keys")
    options = parser.parse_args()
    try:
        noted = options.keys and {key["id"]: key["public"] for key in json.loads(options.keys.read_bytes())["keys"]}
        found = check(json.loads(options.log.read_bytes()), [read_head(path) for path in options.head], noted)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, StopIteration, RecursionError) as error:
        parser.error(f"it cannot be read: {error!r}")
    sound = not any(line.startswith("broken") for line in found)
    print("\n".join([*found, "It holds." if sound else "It is BROKEN."]))
    sys.exit(0 if sound else 1)
