"""The modules that check a game in the browser, called from a test: served from their folder to one page, no server."""

import base64
import mimetypes
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from playwright.sync_api import Browser, Page, Route

from service.web.http.assets import FOLDER

ORIGIN: Final = "https://check.example"
BATCH: Final = 6_000_000
"""Bytes of bundles that are handed over in one go."""
REMEMBER: Final = """(() => {
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  const known = new Map();
  const texts = new TextDecoder("latin1");
  crypto.subtle.digest = (name, bytes) => {
    const key = name + texts.decode(bytes);
    if (!known.has(key)) known.set(key, digest(name, bytes));
    return known.get(key);
  };
})()"""
"""Digests that were made already are not made again: hundreds of bundles share most of their events."""
CHECK: Final = """async (cases) => {
  const { checkBundle, lineText } = await import("/check/bundle.js");
  const reports = [];
  for (const [bundle, kept, noted] of cases) {
    const raw = Uint8Array.from(atob(bundle), (sign) => sign.charCodeAt(0));
    const { lines } = await checkBundle(raw, kept, noted && new Map(Object.entries(noted)));
    reports.push(lines.map(lineText));
  }
  return reports;
}"""
Case = tuple[bytes, Sequence[tuple[str, Mapping[str, Any]]], Mapping[str, str] | None]
"""A bundle, what somebody kept of it by names, and keys that were noted, by id."""


@dataclass(frozen=True)
class Modules:
    """A page that can import the modules."""

    page: Page

    def reports(self, cases: Sequence[Case]) -> list[list[str]]:
        """The lines about each bundle, as the other verifier prints them."""
        found: list[list[str]] = []
        for batch in _batches(cases):
            found += self.page.evaluate(CHECK, [_given(*case) for case in batch])
        return found

    def call(self, module: str, function: str, *arguments: Any) -> Any:
        """What a function of a module gives for arguments that are JSON."""
        script = "async ([module, name, given]) => (await import(`/check/${module}`))[name](...given)"
        return self.page.evaluate(script, [module, function, list(arguments)])


@contextmanager
def modules(browser: Browser) -> Iterator[Modules]:
    """A page of an origin where nothing but the modules is."""
    context = browser.new_context()
    context.add_init_script(REMEMBER)
    context.route(f"{ORIGIN}/**", _answer)
    try:
        page = context.new_page()
        page.goto(f"{ORIGIN}/")
        yield Modules(page)
    finally:
        context.close()


def _answer(route: Route) -> None:
    path = route.request.url.removeprefix(f"{ORIGIN}/")
    if not path:
        route.fulfill(body="<!doctype html><title>modules</title>", content_type="text/html")
    else:
        route.fulfill(path=FOLDER / path, content_type=mimetypes.guess_type(path)[0])


def _given(data: bytes, kept: Sequence[tuple[str, Mapping[str, Any]]], noted: Mapping[str, str] | None) -> list[Any]:
    told = [{"name": name, "telling": dict(telling)} for name, telling in kept]
    return [base64.b64encode(data).decode(), told, None if noted is None else dict(noted)]


def _batches(cases: Sequence[Case]) -> Iterator[list[Case]]:
    batch: list[Case] = []
    for case in cases:
        batch.append(case)
        if sum(len(data) for data, _, _ in batch) > BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
