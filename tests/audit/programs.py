"""The programs beside the pages of docs/audit, written from those pages alone, as modules that tests can call."""

import functools
import importlib.util
import sys
from pathlib import Path
from typing import Any, Final

from tests.audit.bundles import genuine

AUDIT: Final = Path(__file__).parents[2] / "docs" / "audit"


def program(name: str) -> Any:
    """Load a program anew: replacing a part of it changes nothing for other tests."""
    spec = importlib.util.spec_from_file_location(name, AUDIT / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(AUDIT))  # as when it is run: one imports the other
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(AUDIT))
    return module


def quick_program() -> Any:
    """Load the verifier of bundles with quick signatures: its own are checked in test_verifier.py."""
    module = program("verify_bundle")

    @functools.cache
    def holds(public: str, signature: str, message: bytes) -> bool:
        module.negative(bytes.fromhex(public))
        return signature == signature.lower() and genuine(public, message, signature)

    def distrust(keys: Any, signed: Any, purpose: str, message: bytes, where: str = "") -> str:
        public, signature = keys[signed["key"]], signed["signature"]
        purposed = f"wardroom-{purpose}-v1\n".encode() + message
        good = bytes.fromhex(signature) and holds(public, signature, purposed)
        return "" if good else f"{where}the signature by key {signed['key']} does not hold"

    module.distrust = distrust
    return module
