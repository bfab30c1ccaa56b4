"""Randomness in product code comes from the `Entropy` port, but for a few places that no record shows."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.seeded import SeededEntropy
from service.kernel.ids import new_game_id, new_nonce, new_token

ROOT = Path(__file__).parents[1]
PRODUCT = ("config", "domain", "service", "workers")
SOURCES = {
    "os.urandom", "os.getrandom", "random.SystemRandom", "random.Random()", "ec.generate_private_key",
    *(f"random.{name}" for name in ("choice", "choices", "randbytes", "randint", "random", "randrange", "sample",
                                    "shuffle", "uniform", "getrandbits")),
}  # fmt: skip
ALLOWED = {
    "service/kernel/entropy.py": {"os.urandom", "secrets.token_bytes"},  # the port
    "config/keyfile.py": {"secrets.token_hex"},  # the secret key itself, and the name of a temporary file
    "service/backup/restore.py": {"secrets.token_hex"},  # the name of a temporary file
    "service/backup/whole_file.py": {"secrets.token_hex"},  # the name of a temporary file
    "service/mail/development_mailbox.py": {"secrets.token_hex"},  # the name of a file
    "service/news/api_stream.py": {"random.uniform"},  # jitter
    "service/news/tickets.py": {"random.uniform"},  # jitter
    "service/telemetry/reporter.py": {"secrets.token_hex"},  # the id of a process, after a fork
    "workers/push/encryption.py": {"ec.generate_private_key", "os.urandom"},  # the library makes the key
}
"""Places that may ask the operating system themselves: nothing of it is in an export, answer, mail or page."""


def sources(tree: ast.Module) -> Iterator[str]:
    """Yield every direct use of randomness, as module and name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("secrets", "uuid"):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module in ("os", "random"):
            yield from (name for alias in node.names if (name := f"{node.module}.{alias.name}") in SOURCES)
        elif isinstance(node, ast.Call) and not node.args and _name(node.func) == "Random":
            yield "random.Random()"
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            name = f"{node.value.id}.{node.attr}"
            if name in SOURCES or (node.value.id in ("secrets", "uuid") and node.value.id in _modules(tree)):
                yield name


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _modules(tree: ast.Module) -> set[str]:
    return {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}


@pytest.mark.slow
def test_product_code_takes_randomness_from_the_port():
    found = {}
    for package in PRODUCT:
        for path in sorted((ROOT / package).rglob("*.py")):
            if used := set(sources(ast.parse(path.read_text("utf-8")))):
                found[path.relative_to(ROOT).as_posix()] = used
    assert found == ALLOWED


def test_the_ratchet_sees_every_spelling():
    text = "import os, secrets, uuid, random\nfrom random import choice, Random\nfrom secrets import token_hex\n"
    text += "a = os.urandom(1), secrets.choice('a'), uuid.uuid4(), random.random(), Random(), Random(3)\n"
    assert set(sources(ast.parse(text))) == {
        "os.urandom", "secrets.choice", "secrets.token_hex", "uuid.uuid4", "random.random", "random.choice",
        "random.Random()",
    }  # fmt: skip


def test_seeded_entropy_keeps_its_uses_apart():
    one, other = SeededEntropy(1), SeededEntropy(1)
    other.salt(12)
    other.seed(32)
    assert [new_game_id(one), new_token(one)] == [new_game_id(other), new_token(other)]
    assert new_nonce(one) != new_nonce(other)
    assert new_game_id(SeededEntropy(1)) != new_game_id(SeededEntropy(2))
