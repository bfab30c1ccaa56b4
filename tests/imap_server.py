"""An IMAP server in memory, for tests: one mailbox, without TLS.

with ImapMailbox() as mailbox:
    mailbox.receives(b"To: x@localhost\\r\\n\\r\\nbid 30\\r\\n")
    ...                                     # look into mailbox.url
    assert mailbox.unseen() == 0
"""

import asyncio
import threading
from argparse import ArgumentParser
from contextlib import AsyncExitStack
from typing import Self

from imap_tools import MailBoxUnencrypted
from pymap.backend.dict import DictBackend
from pymap.imap import IMAPService
from pysasl.hashing import BuiltinHash

from tests.ports import free_port

USER, PASSWORD = "demouser", "demopass"
QUICK = BuiltinHash(rounds=1)
"""Of passwords: half a million rounds for each login took most of the time of the tests."""


class ImapMailbox:
    """pymap in a thread of its own, on a free port of 127.0.0.1."""

    def __init__(self) -> None:
        self.port = free_port()
        self._loop = asyncio.new_event_loop()
        self._ended = asyncio.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    @property
    def url(self) -> str:
        return f"imap://{USER}:{PASSWORD}@127.0.0.1:{self.port}"

    def opened(self) -> MailBoxUnencrypted:
        """A client of it, to be used with `with`."""
        return MailBoxUnencrypted("127.0.0.1", self.port, 10).login(USER, PASSWORD)

    def receives(self, *mails: bytes) -> None:
        """Put mails into it that nobody has seen."""
        with self.opened() as client:
            for mail in mails:
                client.append(mail)

    def unseen(self) -> int:
        with self.opened() as client:
            return len(client.uids("UNSEEN", charset=None))

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(60):
            raise TimeoutError("the IMAP server did not start")
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(60)

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        parser = ArgumentParser()
        DictBackend.add_subparser("dict", parser.add_subparsers(dest="backend"))
        IMAPService.add_arguments(parser)
        words = ["--host", "127.0.0.1", "--port", str(self.port), "--no-tls", "dict"]
        parser.set_defaults(debug=False, passlib_cfg=None)
        backend, config = await DictBackend.init(parser.parse_args(words), hash_context=QUICK)
        config.apply_context()
        async with AsyncExitStack() as stack:
            await backend.start(stack)
            await IMAPService(backend, config).start(stack)
            self._ready.set()
            await self._ended.wait()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
