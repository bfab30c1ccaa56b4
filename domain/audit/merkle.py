"""Merkle trees of RFC 9162, section 2.1: hashes, the root of a growing list, and the two proofs about it.

Hashes are 32 bytes. A list only ever grows at its end; `first` and `size` count entries.
"""

import hashlib
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final

EMPTY: Final = hashlib.sha256(b"").digest()
Subtree = tuple[int, int]
"""Of the leaves from the first place up to the second, without it; a proof is the hashes of some."""


def leaf_hash(entry: bytes) -> bytes:
    """The hash of an entry."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def grown(peaks: Sequence[bytes], size: int, leaves: Iterable[bytes]) -> list[bytes]:
    """The roots of the complete subtrees of a list, largest first, after more leaves came to a list of `size`."""
    peaks = list(peaks)
    for number, leaf in enumerate(leaves, size):
        while number & 1:  # a complete subtree as large as the one that was just made
            leaf, number = node_hash(peaks.pop(), leaf), number >> 1
        peaks.append(leaf)
    return peaks


def root_of(peaks: Sequence[bytes]) -> bytes:
    """The root of a list from its complete subtrees."""
    return reduce(lambda right, left: node_hash(left, right), reversed(peaks)) if peaks else EMPTY


def root(leaves: Sequence[bytes]) -> bytes:
    """The root of a list of leaf hashes."""
    return root_of(grown([], 0, leaves))


def inclusion(size: int, place: int) -> list[Subtree]:
    """The subtrees whose hashes prove that a leaf is in a list (RFC 9162, 2.1.3.1)."""
    return _path(0, size, place)


def _path(begin: int, end: int, place: int) -> list[Subtree]:
    if end - begin <= 1:
        return []
    middle = begin + _split(end - begin)
    if place < middle:
        return [*_path(begin, middle, place), (middle, end)]
    return [*_path(middle, end, place), (begin, middle)]


def consistency(size: int, first: int) -> list[Subtree]:
    """The subtrees whose hashes prove that the first so many leaves begin a list (RFC 9162, 2.1.4.1); 0 < first."""
    return [] if first >= size else _subproof(0, size, first, whole=True)


def _subproof(begin: int, end: int, first: int, *, whole: bool) -> list[Subtree]:
    if first == end:
        return [] if whole else [(begin, end)]
    middle = begin + _split(end - begin)
    if first <= middle:
        return [*_subproof(begin, middle, first, whole=whole), (middle, end)]
    return [*_subproof(middle, end, first, whole=False), (begin, middle)]


def hash_within(subtree: Subtree, size: int, peaks: Sequence[bytes], leaves: Iterable[bytes]) -> bytes:
    """The hash of a subtree of a proof, from the complete subtrees of the list when it ended at `size`, somewhere in
    this one, and from the leaves from there to its end."""
    begin, _ = subtree
    count = (size - begin).bit_count()  # those that are its own: none reaches over its begin before it is complete
    return root_of(grown(peaks[len(peaks) - count :], size - begin, leaves))


def _split(size: int) -> int:
    """The largest power of two below a size."""
    return 1 << (size - 1).bit_length() - 1


def includes(leaf: bytes, place: int, size: int, proof: Sequence[bytes], tree: bytes) -> bool:
    """Whether a proof shows that a leaf is at a place of the list with this root (RFC 9162, 2.1.3.2)."""
    if not 0 <= place < size:
        return False
    number, last, found = place, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if number & 1 or number == last:
            found = node_hash(sibling, found)
            while not number & 1 and number:
                number, last = number >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        number, last = number >> 1, last >> 1
    return last == 0 and found == tree


def extends(first: int, size: int, proof: Sequence[bytes], old: bytes, new: bytes) -> bool:
    """Whether a proof shows that the list with the root `old` begins the one with `new` (RFC 9162, 2.1.4.2)."""
    if not 0 < first <= size:
        return False
    if first == size:
        return not proof and old == new
    path = [old, *proof] if first & (first - 1) == 0 else list(proof)
    if not path:
        return False
    number, last = first - 1, size - 1
    while number & 1:
        number, last = number >> 1, last >> 1
    before = after = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if number & 1 or number == last:
            before, after = node_hash(sibling, before), node_hash(sibling, after)
            while not number & 1 and number:
                number, last = number >> 1, last >> 1
        else:
            after = node_hash(after, sibling)
        number, last = number >> 1, last >> 1
    return last == 0 and (before, after) == (old, new)
