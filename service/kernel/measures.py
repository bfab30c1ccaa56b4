"""What a process has counted and timed since it last wrote that down: counters and histograms, in memory.

A sample is a whole number under a name, labels and a part: "" for a counter; of a histogram "sum", or the upper bound
of a bucket, which holds what lies above the bucket before it. Times are microseconds. All of them add up, over time and
over processes.
"""

import threading
from bisect import bisect_left
from collections.abc import Mapping
from typing import Final

Labels = tuple[str, ...]
Sample = tuple[str, Labels, str]
SUM: Final = "sum"
MICROS: Final = 1_000_000
BOUNDS: Final[Mapping[str, tuple[float, ...]]] = {
    "wardroom_request_seconds": (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    "wardroom_delivery_lateness_seconds": (1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400),
    "wardroom_deadline_lateness_seconds": (1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400),
}
"""The histograms, with the upper bounds of their buckets in seconds; what is above the last is in "+Inf"."""
LABELS: Final[Mapping[str, Labels]] = {
    "wardroom_requests": ("operation", "method", "status"),
    "wardroom_request_seconds": ("operation", "method"),
    "wardroom_deliveries": ("channel", "verdict"),
    "wardroom_delivery_lateness_seconds": ("channel",),
    "wardroom_deadline_lateness_seconds": (),
    "wardroom_database_waits": ("process",),
    "wardroom_process_cpu_seconds": ("process",),
}
"""What is counted or timed, and by what; each label has few values, whatever strangers send."""
PARTS: Final[Mapping[str, Labels]] = {
    name: (*(str(float(bound)) for bound in bounds), "+Inf") for name, bounds in BOUNDS.items()
}
"""The buckets of each, as their samples are called."""


class Measures:
    """The counters and histograms of one process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._samples: dict[Sample, int] = {}

    def count(self, name: str, *labels: str, by: int = 1) -> None:
        """Add to a counter."""
        with self._lock:
            self._add((name, labels, ""), by)

    def observe(self, name: str, seconds: float, *labels: str) -> None:
        """Add to a histogram what took, or was late by, so long; never less than nothing."""
        seconds = max(0.0, seconds)
        part = PARTS[name][bisect_left(BOUNDS[name], seconds)]
        with self._lock:
            self._add((name, labels, part), 1)
            self._add((name, labels, SUM), round(seconds * MICROS))

    def take(self) -> dict[Sample, int]:
        """What came since this was called last."""
        with self._lock:
            taken, self._samples = self._samples, {}
        return taken

    def give_back(self, taken: Mapping[Sample, int]) -> None:
        """What was taken could not be written: it is counted with what comes."""
        with self._lock:
            for sample, value in taken.items():
                self._add(sample, value)

    def _add(self, sample: Sample, by: int) -> None:
        self._samples[sample] = self._samples.get(sample, 0) + by
