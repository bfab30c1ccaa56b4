"""The service put together: one object that holds what every application service needs."""

from dataclasses import dataclass, field

from config.settings import Settings
from service.kernel.clock import Clock
from service.kernel.clock_guard import ClockGuard
from service.kernel.encryption import Sealer
from service.kernel.signing import Signer
from service.kernel.wakeup import Wakeup
from service.store.database import Database
from service.store.event_store.streams import Streams


@dataclass(frozen=True, slots=True)
class Services:
    """Settings, database, event store, seals and signatures, the wakeup of the workers, the watch over time.
    One a process."""

    settings: Settings
    database: Database
    sealer: Sealer
    streams: Streams
    wakeup: Wakeup
    clock_guard: ClockGuard = field(default_factory=ClockGuard)
    signer: Signer = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "signer", Signer(self.sealer))


def assemble(settings: Settings, *, clock: Clock | None = None, durable: bool = True) -> Services:
    """Put the service together. Opens no connection yet."""
    database = Database(settings.database_url, pool_size=settings.pool_size, clock=clock, durable=durable)
    sealer = Sealer([settings.secret_key, *settings.secret_keys_old])
    return Services(settings, database, sealer, Streams(database, sealer), Wakeup(settings.redis_url))
