"""The threads that tell what is due at hosts of strangers: one a channel, for any of them may be slow."""

from service.container import Services
from workers.loop import Loop
from workers.push.channel import caller
from workers.webhooks.channel import messenger


class Messengers:
    """All of them, as one."""

    def __init__(self, services: Services) -> None:
        self.loops: tuple[Loop, ...] = (messenger(services), caller(services))

    def start(self) -> None:
        """Begin."""
        for loop in self.loops:
            loop.start()

    def wake(self) -> None:
        """Look soon for what is due."""
        for loop in self.loops:
            loop.wake()

    def stop(self) -> None:
        """End after the calls under way."""
        for loop in self.loops:
            loop.stopped.set()  # all at once, so that none waits for another
        for loop in self.loops:
            loop.stop()
