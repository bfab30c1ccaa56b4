"""The text of a setting as somebody gave it: in its variable, in a file that a variable names, or as a credential.

A setting `X` is `WARDROOM_X`; or `WARDROOM_X_FILE` names a file that holds it, as containers are handed their secrets;
or `$CREDENTIALS_DIRECTORY` holds a file `wardroom_x`, as systemd hands over credentials (`LoadCredential=`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PREFIX: Final = "WARDROOM_"
FILE: Final = "_FILE"
CREDENTIALS: Final = "CREDENTIALS_DIRECTORY"
LONGEST: Final = 65_536
"""Characters of a file that is read for a setting."""


class BadSetting(Exception):
    """A setting cannot be used. The message is one sentence for whoever runs the service; it holds no secret."""


@dataclass(frozen=True, slots=True)
class Given:
    """The text of a setting and where it stands, for people; no text and no place for one that nobody gave."""

    text: str = ""
    place: str = ""


def given(name: str, environ: Mapping[str, str]) -> Given:
    """Look for a setting, its name without prefix, wherever it can be given.

    Raises BadSetting for a file that cannot be read or says nothing, and for a setting that is given twice.
    """
    found = [place for place in (_variable(name, environ), _file(name, environ), _credential(name, environ)) if place]
    if len(found) > 1:
        raise BadSetting(f"{PREFIX}{name} is given twice, by {found[0].place} and by {found[1].place}: take one away.")
    return found[0] if found else Given()


def unknown_in(environ: Mapping[str, str], known: set[str]) -> list[str]:
    """What has our prefix and is none of the `known` settings, each for people: most likely it is misspelt."""
    variables = [name for name in environ if name.startswith(PREFIX) and name.removesuffix(FILE) not in known]
    prefix, folder = PREFIX.lower(), Path(environ.get(CREDENTIALS, "").strip() or "/nonexistent")
    files = sorted(folder.glob(f"{prefix}*")) if folder.is_dir() else []
    return sorted(variables) + [f"The credential {file.name}" for file in files if file.name.upper() not in known]


def _variable(name: str, environ: Mapping[str, str]) -> Given | None:
    text = environ.get(PREFIX + name, "").strip()
    return Given(text, PREFIX + name) if text else None


def _file(name: str, environ: Mapping[str, str]) -> Given | None:
    variable = PREFIX + name + FILE
    path = environ.get(variable, "").strip()
    if not path:
        return None
    try:
        return Given(_read(Path(path)), variable)
    except (OSError, ValueError) as wrong:
        raise BadSetting(f"{variable} is {path}, which cannot be used: {_reason(wrong)}.") from None


def _credential(name: str, environ: Mapping[str, str]) -> Given | None:
    folder, credential = environ.get(CREDENTIALS, "").strip(), f"{PREFIX}{name}".lower()
    if not folder:
        return None
    place = f"the credential {credential}"
    try:
        return Given(_read(Path(folder) / credential), place)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as wrong:
        raise BadSetting(f"T{place[1:]} in {folder} cannot be used: {_reason(wrong)}.") from None


def _read(path: Path) -> str:
    """The one line of a file. Raises OSError, or ValueError with what is wrong with it."""
    with path.open(encoding="utf-8") as file:
        text = file.read(LONGEST).strip()
    if not text:
        raise ValueError("it is empty")
    if not text.isprintable():
        raise ValueError("it holds more than one line of text")
    return text


def _reason(wrong: OSError | ValueError) -> str:
    if isinstance(wrong, UnicodeDecodeError):
        return "it is no text in UTF-8"
    return (wrong.strerror or type(wrong).__name__) if isinstance(wrong, OSError) else str(wrong)
