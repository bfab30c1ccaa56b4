"""The build of the wheel: the domain of the repository, whole, as a package that is called `wardroom_rules`.

Nothing is copied into the repository. The archive of sources holds the domain as it is, and a wheel built from it has
the same bytes as one built here.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "wardroom_rules"
DOMAIN = re.compile(r"\bdomain(?=\.[a-z])")
"""The name of the package in imports, in texts that name a module, and where a file of its own is looked up."""


class RenamedDomain(BuildHookInterface):
    """Lays the domain into what is built: renamed into a wheel, as it is into an archive of sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Say which files belong in it. Raises FileNotFoundError where there is no domain."""
        domain = domain_of(Path(self.root))
        if self.target_name == "sdist":
            build_data["force_include"].update({str(path): f"domain/{name}" for name, path in files_of(domain)})
            return
        self.renamed = TemporaryDirectory()
        write_renamed(domain, Path(self.root), Path(self.renamed.name))
        build_data["force_include"][self.renamed.name] = PACKAGE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Throw away what was renamed."""
        if self.target_name != "sdist":
            self.renamed.cleanup()


def domain_of(root: Path) -> Path:
    """The sources: beside this file in an archive, else at the top of the repository."""
    places = (root / "domain", root.parent.parent / "domain")
    for place in places:
        if (place / "rulesets.py").exists():
            return place
    raise FileNotFoundError(f"The rules are neither in {places[0]} nor in {places[1]}.")


def files_of(domain: Path) -> Iterator[tuple[str, Path]]:
    """Each file of the domain with its name in it, in order; nothing that Python or an editor left there."""
    for path in sorted(domain.rglob("*")):
        name = path.relative_to(domain)
        if path.is_file() and not any(part == "__pycache__" or part.startswith(".") for part in name.parts):
            yield name.as_posix(), path


def write_renamed(domain: Path, root: Path, target: Path) -> None:
    """Write the package: modules under their new name, data as they are, and the interface at the top."""
    sources = {**dict(files_of(domain)), "__init__.py": root / "interface.py", "py.typed": root / "py.typed"}
    for name, path in sources.items():
        place = target / name
        place.parent.mkdir(parents=True, exist_ok=True)
        data = path.read_bytes()
        place.write_bytes(renamed(data) if name.endswith(".py") else data)


def renamed(source: bytes) -> bytes:
    """A module that speaks of the package by its new name."""
    return DOMAIN.sub(PACKAGE, source.decode()).encode()
