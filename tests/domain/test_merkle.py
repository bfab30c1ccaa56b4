"""Merkle trees against the definitions of RFC 9162 and the vectors of Certificate Transparency, by both programs."""

import hashlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.audit.merkle import (
    Subtree,
    consistency,
    extends,
    grown,
    hash_within,
    includes,
    inclusion,
    leaf_hash,
    node_hash,
    root,
    root_of,
)
from tests.audit.programs import program

INPUTS = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
LEAVES = [leaf_hash(b"%d" % number) for number in range(40)]


@pytest.fixture(scope="module")
def other() -> Any:
    """The program that was written from the page alone."""
    return program("verify_log")


def defined(leaves: list[bytes]) -> bytes:
    """MTH of RFC 9162, 2.1.1, as it is written there."""
    if len(leaves) < 2:
        return leaves[0] if leaves else hashlib.sha256(b"").digest()
    split = 1
    while 2 * split < len(leaves):
        split *= 2
    return node_hash(defined(leaves[:split]), defined(leaves[split:]))


def test_roots_are_those_of_the_vectors_and_of_the_definition_however_a_list_grew():
    leaves = [leaf_hash(bytes.fromhex(text)) for text in INPUTS]
    assert [root(leaves[:size]).hex() for size in range(1, 9)] == list(ROOTS)
    for size in range(40):
        assert root(LEAVES[:size]) == defined(LEAVES[:size])
        for first in range(size + 1):
            peaks = grown(grown([], 0, LEAVES[:first]), first, LEAVES[first:size])
            assert root_of(peaks) == defined(LEAVES[:size])


def hashes(leaves: list[bytes], subtrees: list[Subtree]) -> list[bytes]:
    return [root(leaves[begin:end]) for begin, end in subtrees]


@pytest.mark.slow
def test_a_subtree_of_a_proof_has_the_same_hash_wherever_in_it_the_list_once_ended():
    for size in range(1, 40):
        proofs = [inclusion(size, place) for place in range(size)] + [consistency(size, n) for n in range(1, size + 1)]
        for begin, end in {subtree for proof in proofs for subtree in proof}:
            for ended in range(begin, end):
                peaks = grown([], 0, LEAVES[:ended])
                assert hash_within((begin, end), ended, peaks, LEAVES[ended:end]) == defined(LEAVES[begin:end])


def test_a_proof_about_a_hundred_thousand_leaves_is_of_as_many_hashes_as_their_tree_is_high():
    assert max(len(inclusion(100_000, place)) for place in range(0, 100_000, 1001)) <= 17
    assert max(len(consistency(100_000, first)) for first in range(1, 100_000, 1001)) <= 18


def head(size: int) -> dict[str, Any]:
    return {"size": size, "root": root(LEAVES[:size]).hex()}


def test_a_list_that_grew_is_shown_to_have_grown_and_no_other_is(other):
    for size in range(1, 24):
        for first in range(1, size + 1):
            proof = hashes(LEAVES, consistency(size, first))
            old, new = root(LEAVES[:first]), root(LEAVES[:size])
            told = [step.hex() for step in proof]
            assert extends(first, size, proof, old, new)
            assert other.grew(head(first), head(size), told)
            for wrong in (b"\0" * 32, new if first < size else LEAVES[0] * (size > 1) or b"x" * 32):
                assert not extends(first, size, proof, wrong, new)
                assert not extends(first, size, proof, old, wrong) or wrong == new
                assert not other.grew(head(first) | {"root": wrong.hex()}, head(size), told)
            assert not extends(first, size, [*proof, old], old, new)
            assert not other.grew(head(first), head(size), [*told, old.hex()])
            if proof:
                assert not extends(first, size, proof[:-1], old, new)
                assert not other.grew(head(first), head(size), told[:-1])
    assert not extends(0, 3, [], root([]), root(LEAVES[:3]))
    assert not extends(4, 3, [], root(LEAVES[:4]), root(LEAVES[:3]))


@pytest.mark.slow
@settings(max_examples=60)
@given(st.integers(1, 40), st.data())
def test_a_list_in_which_one_entry_was_changed_or_taken_out_did_not_grow(size, choice):
    first = choice.draw(st.integers(1, size))
    place = choice.draw(st.integers(0, first - 1))
    changed = [*LEAVES[:place], leaf_hash(b"other"), *LEAVES[place + 1 : size]]
    taken = [*LEAVES[:place], *LEAVES[place + 1 : size + 1]]
    for later in (changed, taken):
        if len(later) >= first:
            assert not extends(
                first, len(later), hashes(later, consistency(len(later), first)), root(LEAVES[:first]), root(later)
            )


def test_every_entry_is_shown_to_be_at_its_place_and_nowhere_else():
    for size in range(1, 20):
        tree = root(LEAVES[:size])
        for place in range(size):
            proof = hashes(LEAVES, inclusion(size, place))
            assert includes(LEAVES[place], place, size, proof, tree)
            assert not includes(LEAVES[size], place, size, proof, tree)
            assert not includes(LEAVES[place], place, size, [*proof, tree], tree)
            assert not any(includes(LEAVES[place], n, size, proof, tree) for n in range(size + 2) if n != place)
