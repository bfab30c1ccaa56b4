"""Requests that arrive: keys for writes, retries that cannot do anything twice, answers that are whole."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import httpx
import msgspec

from wardroom_client.pauses import pause
from wardroom_client.problems import Unreachable, problem_of, seconds
from wardroom_client.retries import WORTH_A_RETRY, Retries, is_whole, new_key

API: Final = "/api/v1"
LIVENESS: Final = 40.0
"""Seconds of silence after which a connection counts as dead: longer than a long poll or two heartbeats, shorter than
the minute after which proxies drop a connection without a word."""
READS: Final = frozenset({"GET", "HEAD"})


def answered(response: httpx.Response) -> Any:
    """What an answer holds: a document, a text, the bytes of anything else, or None."""
    kind = response.headers.get("Content-Type", "")
    if not response.content:
        return None
    if "json" in kind and "ndjson" not in kind:
        return msgspec.json.decode(response.content)
    return response.text if kind.startswith("text/") else response.content


class Session:
    """A server, and who speaks to it."""

    def __init__(
        self, base: str, token: str | None, transport: httpx.BaseTransport | None, retries: Retries
    ) -> None:
        self.retries = retries
        self._may_retry_writes = token is not None  # a key is the player's: without one it is not looked at
        headers = {"User-Agent": "wardroom-client/0.2.0", "Accept": "application/json, */*;q=0.5"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        timeout = httpx.Timeout(LIVENESS, connect=10.0)
        self.http = httpx.Client(base_url=base.rstrip("/"), headers=headers, timeout=timeout, transport=transport)

    def request(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
        key: str | None = None,
    ) -> httpx.Response:
        """The answer to a request below /api/v1, tried again where that is safe.

        A write carries an Idempotency-Key, `key` or a new one: sent twice, it is done once. Raises Problem and
        Unreachable.
        """
        given = dict(headers or {})
        retried = method in READS or self._may_retry_writes
        if method not in READS and self._may_retry_writes:
            given.setdefault("Idempotency-Key", key or new_key())
        known = {name: value for name, value in (params or {}).items() if value is not None}
        content = None if json is None else msgspec.json.encode(json)
        if content is not None:
            given["Content-Type"] = "application/json"
        tried = 0
        while True:
            tried += 1
            response, error = self._once(method, API + path, known, content, given)
            if response is not None and response.status_code not in WORTH_A_RETRY:
                break
            retry_after = None if response is None else seconds(response.headers)
            wait = self.retries.pause(tried, retry_after) if retried else None
            if wait is None and response is not None:
                break
            if wait is None:
                raise Unreachable(f"{method} {path}: no whole answer in {tried} attempts ({error})") from error
            pause(wait)
        if response.status_code >= 400:
            raise problem_of(response)
        return response

    def _once(
        self, method: str, path: str, params: Mapping[str, Any], content: bytes | None, headers: Mapping[str, str]
    ) -> tuple[httpx.Response | None, Exception | None]:
        """One attempt: a whole answer, or why there is none."""
        address = httpx.URL(path).copy_merge_params(params)  # what the path asks itself is kept
        try:
            response = self.http.request(method, address, content=content, headers=headers)
        except (httpx.TransportError, httpx.DecodingError) as error:
            return None, error
        if not is_whole(response):
            return None, httpx.RemoteProtocolError("the answer was cut off")
        return response, None

    def get(self, path: str, **params: Any) -> Any:
        """The document at a path."""
        return answered(self.request("GET", path, params=params))

    def write(self, method: str, path: str, json: Any = None, **more: Any) -> Any:
        """The document that answers a write; None where there is none."""
        return answered(self.request(method, path, json=json, **more))

    def items(self, path: str, **params: Any) -> Iterator[Any]:
        """What a list holds, page after page, as its cursors say."""
        cursor = None
        while True:
            page = self.get(path, **params, cursor=cursor)
            for item in page["items"]:
                yield item
            cursor = page["next"]
            if cursor is None:
                return
