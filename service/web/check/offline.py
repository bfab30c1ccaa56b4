"""The page that checks games as one file that needs no server: the same modules, put into one script.

The same modules, styles and texts give the same bytes. `python -m service.web.check.offline FILE` writes it, and with
`--manual` instead of a file brings its digest in docs/checking.md up to date.
"""

import base64
import hashlib
import re
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from service.languages.catalogues import LANGUAGES, catalogue
from service.web.check.texts import MODULES, translations
from service.web.http.assets import FOLDER

ENTRY: Final = MODULES / "offline.js"
STYLES: Final = ("tokens.css", "check.css", "check/offline.css")
MANUAL: Final = Path(__file__).parents[3] / "docs" / "checking.md"
TEMPLATES: Final = Path(__file__).parents[1] / "templates"
IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
LEFT: Final = re.compile(r"^\s*(?:import|export)\b", re.MULTILINE)


SHELL: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{{ policy }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Check a game · Wardroom</title>
<style>{{ style }}</style>
</head>
<body class="alone">
<header><strong class="brand">Wardroom</strong> <span class="languages">
<button type="button" data-language="en" lang="en" hidden>English</button>
<button type="button" data-language="fr" lang="fr" hidden>Français</button>
<button type="button" data-language="de" lang="de" hidden>Deutsch</button></span></header>
<main>{{ bodies["en"] }}</main>
{% for language, body in bodies.items() %}<template id="body-{{ language }}">{{ body }}</template>
{% endfor %}
<script type="module">{{ script }}</script>
</body>
</html>
"""
"""What stands around: no page of a service has a script or a style within, so it is none of their templates."""


FACES: Final = re.compile(r"@font-face [{][^}]*[}]")
"""Fonts, which the file cannot load."""


class NotInlined(Exception):
    """A module that is written in a way that cannot be put into one script."""


@cache
def page() -> bytes:
    """The file: its policy allows its own script and style, by their digests, and nothing from anywhere."""
    script, style = one_script(ENTRY), "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in STYLES)
    style = FACES.sub("", style)
    bodies = {language: _body(language) for language in LANGUAGES}
    own = f"script-src '{_hash(script)}'; style-src '{_hash(style)}'"
    policy = f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"
    text = _environment("en").from_string(SHELL)
    parts = {"script": Markup(script), "style": Markup(style), "bodies": bodies, "policy": policy}  # noqa: S704
    return text.render(**parts).encode()


def digest() -> str:
    """The SHA-256 of the file, in hex: docs/checking.md has it."""
    return hashlib.sha256(page()).hexdigest()


def one_script(entry: Path) -> str:
    """A module and all that it imports as one script: each a function that gives what it exports. Raises NotInlined."""
    script = "\n".join(map(_wrapped, _in_order(entry)))
    if "</script" in script.lower() or "<!--" in script:
        raise NotInlined("A module ends the script that it stands in.")
    return script


@cache
def modules(entry: Path) -> tuple[str, ...]:
    """The names of a module and all that it imports, as they lie in the folder of static files."""
    return tuple(module.relative_to(FOLDER).as_posix() for module in _in_order(entry))


def _in_order(entry: Path) -> list[Path]:
    """A module after all that it imports."""
    needs: dict[Path, list[Path]] = {}
    _gather(entry.resolve(), needs)
    return [*TopologicalSorter(needs).static_order()]


def _gather(module: Path, needs: dict[Path, list[Path]]) -> None:
    if module not in needs:
        text = module.read_text(encoding="utf-8")
        needs[module] = [(module.parent / address).resolve() for _, address in IMPORT.findall(text)]
        for needed in needs[module]:
            _gather(needed, needs)


def _wrapped(module: Path) -> str:
    text = module.read_text(encoding="utf-8").removeprefix("// @ts-check\n")
    names = ", ".join(found[1] for found in EXPORT.finditer(text))
    body = EXPORT.sub("", IMPORT.sub(lambda found: _taken(module, found), text))
    if LEFT.search(body):
        raise NotInlined(f"{module.name} imports or exports otherwise than by names.")
    return f"const {_name(module)} = (() => {{\n{body}return {{ {names} }};\n}})();\n"


def _taken(module: Path, found: re.Match[str]) -> str:
    names = found[1].replace(" as ", ": ")
    return f"const {{{names}}} = {_name((module.parent / found[2]).resolve())};\n"


def _name(module: Path) -> str:
    return "module_" + re.sub(r"\W", "_", module.relative_to(MODULES).with_suffix("").as_posix())


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _body(language: str) -> Markup:
    template = _environment(language).get_template("check/body.html")
    return Markup(template.render(language=language, texts=translations(language), game=None))  # noqa: S704


def _environment(language: str) -> Environment:
    """The templates as pages have them, in one language and without any request."""
    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    known = catalogue(language)
    env.install_gettext_callables(known.gettext, known.ngettext, newstyle=True)  # type: ignore[attr-defined]
    return env


def main(target: str) -> None:
    """Write the file, or its digest into the manual."""
    if target == "--manual":
        MANUAL.write_text(re.sub(r"\b[0-9a-f]{64}\b", digest(), MANUAL.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        Path(target).write_bytes(page())
    sys.stdout.write(f"{digest()}  {target}\n")


if __name__ == "__main__":
    main(sys.argv[1])
