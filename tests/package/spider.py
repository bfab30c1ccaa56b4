"""Every page, picture, style and module that can be reached from some addresses, followed as a browser would."""

import html
import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import urldefrag, urljoin

import httpx

IN_PAGES: Final = re.compile(r'(?:href|src)="?(/[^" >]*)')
IN_MODULES: Final = re.compile(r'(?:from|import)\s*\(?"(\.{0,2}/[^"]+)"')
IN_STYLES: Final = re.compile(r"""url\(["']?([^"')]+)""")
IN_MANIFESTS: Final = re.compile(r'"(/[^"]+)"')
OF_KINDS: Final = {"html": IN_PAGES, "javascript": IN_MODULES, "css": IN_STYLES, "manifest": IN_MANIFESTS}


def follow(client: httpx.Client, first: Iterable[str]) -> dict[str, httpx.Response]:
    """The answer to each address, from the first ones on; of those that differ in a number, id or value, to one."""
    answers: dict[str, httpx.Response] = {}
    waiting, known = deque(first), set[str]()
    while waiting:
        address = urldefrag(waiting.popleft())[0]
        if shape(address) not in known:
            known.add(shape(address))
            answers[address] = client.get(address)
            waiting.extend(links(address, answers[address]))
    return answers


def shape(address: str) -> str:
    """An address without what stands for one thing among many."""
    return re.sub(r"\d+", "0", re.sub(r"(?<=/)[0-9a-z_]{10,}(?=[/?]|$)|(?<==)[^&]*", "X", address))


def links(address: str, answer: httpx.Response) -> Iterator[str]:
    """Where an answer leads on the same server."""
    kind = answer.headers.get("Content-Type", "")
    for name, pattern in OF_KINDS.items():
        if name in kind:
            for found in map(html.unescape, pattern.findall(answer.text)):
                if not found.startswith(("//", "data:")):
                    yield urljoin(address, found)
