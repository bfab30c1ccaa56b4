"""Makes the client without `async` from the one with it: `python clients/python/unasync.py`.

Words are replaced, nothing else (as httpcore does): what remains is written twice by nobody.
"""

import re
from pathlib import Path

PACKAGE = Path(__file__).parent / "wardroom_client"
WORDS = [
    (r"async def ", "def "),
    (r"async for ", "for "),
    (r"async with ", "with "),
    (r"\bawait ", ""),
    (r"\bStopAsyncIteration\b", "StopIteration"),
    (r"\b_async\b", "_sync"),
    (r"\basync_pause\b", "pause"),
    (r"\baiter_lines\b", "iter_lines"),
    (r"\banext\b", "next"),
    (r"\baclose\b", "close"),
    (r"\b__a(enter|exit)__", r"__\1__"),
    (r"\bAsync([A-Z])", r"\1"),
]


def without_async(source: str) -> str:
    """A module of the client with `async` as one without."""
    for word, other in WORDS:
        source = re.sub(word, other, source)
    return source


def generated() -> dict[Path, str]:
    """What each module of the client without `async` must hold."""
    made = {
        PACKAGE / "_sync" / path.name: without_async(path.read_text(encoding="utf-8"))
        for path in sorted((PACKAGE / "_async").glob("*.py"))
    }
    made[PACKAGE / "_sync" / "__init__.py"] = '"""The client without `async`: made by `clients/python/unasync.py`."""\n'
    return made


if __name__ == "__main__":
    for place, text in generated().items():
        place.write_text(text, encoding="utf-8")
