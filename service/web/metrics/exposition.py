"""The text of /metrics: made by one reader at a time, and kept for others for some seconds.

It is kept for fifty times as long as it took to make, five seconds at least, so a monitor that asks too often, or a
large database, costs a fiftieth of a processor at most. So are, apart, counts of all rows that there ever were.
"""

import contextlib
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

from service.container import Services
from service.kernel.measures import MICROS, PARTS, SUM, Labels, Sample
from service.store.errors import DatabaseError
from service.store.running import measurements
from service.web.metrics.gauges import Point, of_all_rows, of_the_database, of_this_process
from service.web.metrics.names import COUNTERS, GAUGES, HISTOGRAMS

LEAST: Final = 5.0
SHARE: Final = 50
Family = GaugeMetricFamily | CounterMetricFamily | HistogramMetricFamily


@dataclass(slots=True)
class Exposition:
    """The metrics of one service as its monitor reads them."""

    services: Services
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _text: bytes = b""
    _until: float = 0.0
    _counts: list[Point] = field(default_factory=list)
    _counted_until: float = 0.0

    def _count(self) -> None:
        """Read every row where that is due. They are those of before where the database takes too long for it."""
        began = time.monotonic()
        if began >= self._counted_until:
            with contextlib.suppress(DatabaseError):
                self._counts = counted(self.services)
            ended = time.monotonic()
            self._counted_until = ended + self.kept(ended - began)

    def kept(self, took: float) -> float:
        """Seconds for which a text is good that took so many to make."""
        return max(LEAST, SHARE * took)

    def text(self) -> bytes:
        """All metrics. While another thread makes them anew they are those of before, where there are any."""
        if not self._lock.acquire(blocking=not self._text):
            return self._text
        try:
            began = time.monotonic()
            if began >= self._until:
                self._count()
                began = time.monotonic()
                self._text = expose(self.services, self._counts)
                ended = time.monotonic()
                self._until = ended + self.kept(ended - began)
            return self._text
        finally:
            self._lock.release()


class Collected:
    """Families that are made already, as prometheus_client wants to be given them."""

    def __init__(self, families: Iterable[Family]) -> None:
        self.families = list(families)

    def collect(self) -> list[Family]:
        """All of them."""
        return self.families


def counted(services: Services) -> list[Point]:
    """What every row is read for."""
    with services.database.read() as connection:
        return list(of_all_rows(connection))


def expose(services: Services, counts: Iterable[Point] = ()) -> bytes:
    """All metrics as they are now, in the text format of Prometheus; `counts` were made before."""
    began = time.monotonic()
    points, samples, up = [*of_this_process(services), *counts], {}, True
    try:
        with services.database.read() as connection:
            points += of_the_database(services, connection)
            samples = measurements.samples(connection)
    except DatabaseError:
        up = False
    points += [Point("wardroom_database_up", float(up)), Point("wardroom_scrape_seconds", time.monotonic() - began)]
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Collected([*_gauges(points), *_counters(samples), *_histograms(samples)]))
    return generate_latest(registry)


def _gauges(points: Iterable[Point]) -> Iterator[GaugeMetricFamily]:
    by_name = defaultdict(list)
    for point in points:
        by_name[point.name].append(point)
    for name, metric in GAUGES.items():
        if name in by_name:
            family = GaugeMetricFamily(name, metric.help, labels=metric.labels)
            for point in by_name[name]:
                family.add_metric(point.labels, point.value)
            yield family


def _counters(samples: Mapping[Sample, int]) -> Iterator[CounterMetricFamily]:
    for name, metric in COUNTERS.items():
        unit = MICROS if name.endswith("_seconds") else 1
        family = CounterMetricFamily(name, metric.help, labels=metric.labels)
        for labels, parts in sorted(_series(samples, name).items()):
            family.add_metric(labels, parts[""] / unit)
        yield family


def _histograms(samples: Mapping[Sample, int]) -> Iterator[HistogramMetricFamily]:
    for name, metric in HISTOGRAMS.items():
        family = HistogramMetricFamily(name, metric.help, labels=metric.labels)
        for labels, parts in sorted(_series(samples, name).items()):
            counts = accumulate(parts.get(part, 0) for part in PARTS[name])
            buckets: list[Any] = list(zip(PARTS[name], counts, strict=True))
            family.add_metric(labels, buckets, parts.get(SUM, 0) / MICROS)
        yield family


def _series(samples: Mapping[Sample, int], name: str) -> dict[Labels, dict[str, int]]:
    """The parts of a metric by its labels."""
    found: dict[Labels, dict[str, int]] = defaultdict(dict)
    for (metric, labels, part), value in samples.items():
        if metric == name:
            found[labels][part] = value
    return found
