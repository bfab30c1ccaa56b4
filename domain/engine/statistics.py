"""What statistics of all games are made with."""

from collections.abc import Sequence


class Flow:
    """What every seat gained and spent of something in a period: each fact counts with its balance."""

    def __init__(self, held: Sequence[int]) -> None:
        self.held = list(held)
        self.gained = [0] * len(held)
        self.spent = [0] * len(held)

    def follow(self, held: Sequence[int]) -> None:
        """So much does every seat hold after the next fact."""
        for seat, (before, now) in enumerate(zip(self.held, held, strict=True)):
            self.gained[seat] += max(0, now - before)
            self.spent[seat] += max(0, before - now)
        self.held = list(held)

    def close(self) -> tuple[list[int], list[int], list[int]]:
        """What was gained and spent in the period, and what is held at its end; the next one begins."""
        closed = self.gained, self.spent, self.held
        self.gained, self.spent = [0] * len(self.held), [0] * len(self.held)
        return closed
