"""The service put together: one object that holds what every application service needs."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from config.release import release
from config.settings import Settings
from service.kernel.clock import Clock
from service.kernel.clock_guard import ClockGuard
from service.kernel.encryption import Sealer
from service.kernel.entropy import Entropy
from service.kernel.measures import Measures
from service.kernel.sealed_files import SealedFiles
from service.kernel.signing import Signer
from service.kernel.wakeup import Wakeup
from service.store.database import Connection, Database
from service.store.event_store import moved_games
from service.store.event_store.streams import Streams
from service.telemetry import tracing
from service.telemetry.reporter import Reporter


@dataclass(frozen=True, slots=True)
class Services:
    """Settings, database, event store, seals and signatures, the wakeup of the workers, the source of randomness, the
    watch over time, pictures that were drawn, and what is counted. One a process."""

    settings: Settings
    database: Database
    sealer: Sealer
    streams: Streams
    wakeup: Wakeup
    entropy: Entropy = field(default_factory=Entropy)
    clock_guard: ClockGuard = field(default_factory=ClockGuard)
    measures: Measures = field(default_factory=Measures)
    signer: Signer = field(init=False)
    pictures: SealedFiles = field(init=False)
    reporter: Reporter = field(init=False)
    serves: Callable[[], bool] = lambda: True
    """Whether this process still serves: where it does not, nobody is let wait in it."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "signer", Signer(self.sealer))
        object.__setattr__(self, "pictures", SealedFiles(self.settings.data_dir / "pictures", self.sealer))
        object.__setattr__(self, "reporter", Reporter(self.database, self.measures))

    def serve_while(self, serves: Callable[[], bool]) -> None:
        """Let this tell from now on whether the process still serves."""
        object.__setattr__(self, "serves", serves)

    def begin(self, role: str) -> None:
        """This process serves from now on, as the Procfile calls it: it reports, and makes traces where they are on."""
        if self.settings.traces:
            tracing.begin(role, release().version)
        self.reporter.start(role)

    def hint(self, tx: Connection, people: Iterable[str | None], game: str = "", version: int = 0) -> None:
        """Once a transaction lasts, hint to the process of news that there may be something new for these people, and
        for who looks at a game, which is at this version: "ID VERSION" each, of people 0."""
        if not self.settings.streams_news:
            return
        hints = dict.fromkeys(filter(None, people), 0) | ({game: version} if game else {})
        if self.settings.embedded:  # without Redis: by PostgreSQL
            moved_games.notify(tx, [f"{id} {version}" for id, version in hints.items()])
        else:
            self.database.afterwards(tx, partial(self.wakeup.tell, hints))

    def end(self) -> None:
        """It serves no longer: what is left is written and sent."""
        self.reporter.stop()
        tracing.end()


def assemble(
    settings: Settings, *, clock: Clock | None = None, entropy: Entropy | None = None, durable: bool = True
) -> Services:
    """Put the service together. Opens no connection yet."""
    entropy = entropy or Entropy()
    database = Database(
        settings.database_url,
        owner_url=settings.database_owner_url,
        pool_size=settings.pool_size,
        clock=clock,
        durable=durable,
    )
    sealer = Sealer([settings.secret_key, *settings.secret_keys_old], entropy)
    streams = Streams(database, sealer, entropy)
    return Services(settings, database, sealer, streams, Wakeup(settings.redis_url), entropy)
