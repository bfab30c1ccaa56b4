"""The texts that modules of pages say: those written out in a call of `say`, wherever it stands."""

import json
import re
from collections.abc import Iterator
from typing import Final

SAID: Final = re.compile(r'\bsay\(\s*("(?:[^"\\]|\\.)*")')


def texts_of(module: str) -> Iterator[tuple[int, str]]:
    """The texts of a module's source, each with its line."""
    for found in SAID.finditer(module):
        yield module.count("\n", 0, found.start()) + 1, str(json.loads(found[1]))
