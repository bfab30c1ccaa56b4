"""Entropy from a seed, for records and tests that must come out the same each time."""

from random import Random

from service.kernel.entropy import Entropy


class SeededEntropy(Entropy):
    """Bytes that follow from a seed. Each use has its own stream, so that draws do not depend on how many ids exist."""

    def __init__(self, seed: object) -> None:
        self.token_bytes = Random(f"{seed} tokens").randbytes  # type: ignore[method-assign]
        self.seed = Random(f"{seed} seeds").randbytes  # type: ignore[method-assign]
        self.salt = Random(f"{seed} salts").randbytes  # type: ignore[method-assign]
