"""When a delivery that failed is tried again: one rule, with numbers of each channel."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Pauses between attempts, in seconds, the last of them again and again; how many attempts are made at most."""

    pauses: tuple[int, ...]
    attempts: int
    least: int = 100  # percent of a pause; up to `spread` - 1 are added, so that not all come at the same moment
    spread: int = 1
    given_up: str = "{why}"  # how it is said that no more are made

    def pause(self, attempts: int, number: int) -> int | None:
        """Seconds to wait after this many attempts of the delivery with a number; None where it is given up."""
        if attempts >= self.attempts:
            return None
        longest = self.pauses[min(attempts, len(self.pauses)) - 1]
        return longest * (self.least + number * 37 % self.spread) // 100

    def give_up_reason(self, attempts: int, why: str) -> str:
        """Why a delivery was given up, in words."""
        return self.given_up.format(attempts=attempts, why=why)


MAIL = RetryPolicy(
    pauses=(15, 30, 60, 120, 240, 480, 960, 1920, 3600), attempts=60, least=75, spread=51,
    given_up="given up after {attempts} attempts: {why}",
)  # fmt: skip
"""At an hour each, the later ones: two days and a half."""
WEBHOOK = RetryPolicy(pauses=(5, 300, 1800, 7200, 18_000, 36_000, 36_000), attempts=8, spread=21)
FEED = RetryPolicy(pauses=(60, 600, 3600), attempts=12)
PUSH = RetryPolicy(
    pauses=(15, 60, 300, 900, 3600),
    attempts=12,
    least=75,
    spread=51,
    given_up="given up after {attempts} attempts: {why}",
)
