"""Provably fair draws: the contract of DESIGN 4 against another implementation, vectors and statistics (S-43)."""

import hashlib
import hmac
import json
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.engine.draws import Dice, commitment, draw_key, thought_seed

SEED = bytes(range(32))
NONCES = ["0123456789abcdef", "a-player_s-own-nonce", "f" * 64]

# The contract once more, in the words of DESIGN 4 and sharing nothing with the code.


def contract_key(seed, nonces):
    message = "[" + ",".join(f'"{nonce}"' for nonce in nonces) + "]"
    return hmac.new(seed, message.encode("ascii"), hashlib.sha256).digest()


def contract_words(key, label, index):
    block = 0
    while True:
        mac = hmac.new(key, (label + ":" + str(index) + ":" + str(block)).encode("ascii"), hashlib.sha256).hexdigest()
        yield from [int(mac[at : at + 16], 16) for at in (0, 16, 32, 48)]
        block += 1


def contract_below(words, n):
    word = next(words)
    while word >= 2**64 - (2**64 % n):
        word = next(words)
    return word % n


def contract_sample(words, items, k):
    items = list(items)
    for j in range(k):
        swap = j + contract_below(words, len(items) - j)
        items[j], items[swap] = items[swap], items[j]
    return items[:k]


KEYS = st.binary(min_size=32, max_size=32)
LABELS = st.sampled_from(["first-player", "zone-1", "garden", "turn-order", "land", "permits"])
INDEXES = st.integers(0, 10_000)


@pytest.mark.slow
@given(KEYS, LABELS, INDEXES, st.integers(1, 2**64))
def test_s43_below_keeps_the_contract(key, label, index, n):
    assert Dice(key, index).below(label, n) == contract_below(contract_words(key, label, index), n)


@pytest.mark.slow
@given(KEYS, LABELS, INDEXES, st.lists(st.integers(), max_size=40), st.data())
def test_s43_sample_keeps_the_contract(key, label, index, items, data):
    k = data.draw(st.integers(0, len(items)))
    given_items = list(items)
    assert Dice(key, index).sample(label, items, k) == contract_sample(contract_words(key, label, index), items, k)
    assert items == given_items, "the items given stay in their order"


@given(KEYS, st.lists(st.from_regex(r"\A[0-9A-Za-z_-]{16,64}\Z"), max_size=5))
@pytest.mark.slow
def test_s43_the_key_is_made_of_the_seed_and_the_nonces_in_seat_order(seed, nonces):
    assert draw_key(seed, nonces) == contract_key(seed, nonces)


@given(KEYS, LABELS, INDEXES)
def test_s43_four_words_come_from_each_block(key, label, index):
    ours = list(islice(Dice(key, index).words(label), 13))
    assert ours == list(islice(contract_words(key, label, index), 13))


def test_s43_published_vectors_of_commitment_and_key():
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert draw_key(SEED, NONCES).hex() == KEY_VECTOR
    assert draw_key(SEED, []).hex() == EMPTY_KEY_VECTOR


KEY_VECTOR = "df25d751d7ddbb4d71220d86d01fe57ffc397a68c68568d4a070ca7a1cddf0ea"
EMPTY_KEY_VECTOR = "445cf8baebc4c11c8a0e0d9e2d8923e837c3fc661f310140badd038b4d594b7a"
BELOW = {
    ("first-player", 0, 3): 2,
    ("first-player", 0, 5): 0,
    ("land", 4, 20): 17,
    ("land", 5, 19): 11,
    ("bias", 0, 9223372036854775809): 3081462494097102054,
    ("bias", 1, 9223372036854775809): 737622057585175115,
    ("bias", 3, 9223372036854775809): 4543170715162857584,
    ("land", 7, 18446744073709551616): 16876764580743852277,
    ("land", 9, 1): 0,
}
SAMPLES = {
    ("zone-1", 1, "irish english english german german", 5): "english german german irish english",
    ("zone-2", 2, "irish irish english english german", 5): "german irish english irish english",
    ("garden", 3, "irish irish english german italian italian", 5): "italian irish irish english italian",
    ("turn-order", 0, "0 1 2 3", 4): "3 2 0 1",
    ("permits", 11, "housing housing tower factory park", 2): "tower housing",
    ("garden", 12, "irish", 1): "irish",
    ("garden", 12, "irish", 0): "",
}


@pytest.mark.parametrize("label, index, n, drawn", [(*case, drawn) for case, drawn in BELOW.items()])
def test_s43_published_vectors_of_below(label, index, n, drawn):
    assert Dice(bytes.fromhex(KEY_VECTOR), index).below(label, n) == drawn


@pytest.mark.parametrize("label, index, items, k, drawn", [(*case, drawn) for case, drawn in SAMPLES.items()])
def test_s43_published_vectors_of_sample(label, index, items, k, drawn):
    assert " ".join(Dice(bytes.fromhex(KEY_VECTOR), index).sample(label, items.split(), k)) == drawn


def test_s43_a_word_in_the_uneven_rest_is_thrown_away():
    """With n = 2^63 + 1 almost every second word must go; taking it modulo n would favour the small numbers."""
    n = 2**63 + 1
    dice = [Dice(SEED, index) for index in range(400)]
    first = [next(die.words("bias")) for die in dice]
    drawn = [die.below("bias", n) for die in dice]
    thrown = sum(word >= n for word in first)
    assert 150 < thrown < 250
    assert [word % n for word in first] != drawn
    assert all(drawn[at] == word for at, word in enumerate(first) if word < n)
    small = sum(value < 2**62 for value in drawn)
    assert 150 < small < 250, "half of all results lie in the lower half"


@pytest.mark.parametrize("n", [1, 2, 3, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1, 2**64])
def test_s43_below_stays_below(n):
    assert all(0 <= Dice(SEED, index).below("edge", n) < n for index in range(200))


def chi_square(counts, cases, total):
    expected = total / cases
    return sum((counts.get(case, 0) - expected) ** 2 / expected for case in range(cases))


@pytest.mark.slow
@pytest.mark.parametrize("n, limit", [(2, 15.1), (5, 23.5), (7, 27.9), (15, 42.6)])  # 0.9999 quantiles
def test_s43_every_result_is_equally_likely(n, limit):
    counts = Counter(Dice(SEED, index).below("chi", n) for index in range(20_000))
    assert chi_square(counts, n, 20_000) < limit


def test_s43_every_order_of_a_shuffle_is_equally_likely():
    orders = {order: number for number, order in enumerate(["abc", "acb", "bac", "bca", "cab", "cba"])}
    counts = Counter(orders["".join(Dice(SEED, index).sample("shuffle", "abc", 3))] for index in range(12_000))
    assert chi_square(counts, 6, 12_000) < 25.7


def test_s43_every_sample_is_equally_likely():
    counts = Counter("".join(sorted(Dice(SEED, index).sample("sample", "abcde", 2))) for index in range(10_000))
    assert len(counts) == 10
    assert chi_square(dict(enumerate(counts.values())), 10, 10_000) < 33.7


@given(KEYS, INDEXES)
def test_draws_of_other_labels_and_indexes_have_nothing_in_common(key, index):
    words = [
        tuple(islice(Dice(key, at).words(label), 4))
        for at, label in ((index, "zone-1"), (index + 1, "zone-1"), (index, "zone-2"), (index, "garden"))
    ]
    assert len({word for four in words for word in four}) == 16


def test_the_commitment_is_never_an_input_of_a_draw():
    """Two seeds with one nonce list give other keys; knowing the commitment alone gives none of them."""
    public = commitment(SEED)
    key = draw_key(SEED, NONCES)
    guesses = [
        draw_key(bytes.fromhex(public), NONCES),
        draw_key(public.encode(), NONCES),
        draw_key(SEED, [*NONCES, public]),
        draw_key(SEED, [public, *NONCES]),
        bytes.fromhex(public),
    ]
    assert key not in guesses
    assert key == contract_key(SEED, NONCES)


def test_each_nonce_and_each_place_counts():
    keys = {draw_key(SEED, order) for order in (NONCES, NONCES[::-1], NONCES[:2], [*NONCES[:2], "e" * 64])}
    assert len(keys) == 4
    assert json.dumps(NONCES, separators=(",", ":")) == '["' + '","'.join(NONCES) + '"]'


def test_the_seed_of_a_thought_follows_from_the_key_the_seat_and_the_event_it_began_at():
    key = draw_key(SEED, NONCES)
    assert thought_seed(key, 2, 17) == hmac.new(key, b"bot:2:17", hashlib.sha256).digest()
    words = contract_words(key, "bot", 2)
    assert thought_seed(key, 2, 0) == b"".join(next(words).to_bytes(8) for _ in range(4)), "of a label nobody draws by"
