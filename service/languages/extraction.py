"""The texts of the code into the catalogues, for `python3 dev.py words`: what is new comes in, what is gone goes.

Kept translations are never guessed at: a text that changed is a new text. The files name no date, line or person, so
that a change shows what it changes and nothing else.
"""

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import write_po
from jinja2.ext import babel_extract

from domain.engine.sentences import COMMAND
from domain.rulesets import RULESETS
from service.languages.catalogues import ENGLISH, LANGUAGES, SHARED, is_translated, po_file, read
from service.languages.commands import UNIVERSAL

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGES: Final = ("domain", "service", "workers")
TEMPLATES: Final = ("service/web/templates", "workers/templates")
NAMES: Final = (SHARED, *RULESETS)
"""The catalogues there are."""
TEMPLATE_OF: Final[Mapping[str, tuple[int, ...]]] = {
    "say": (0,),
    "say_n": (0, 1),
    "say_in": (1,),
    "require": (3,),
    "refuse": (2,),
}
"""Where each function that takes a template takes it."""
STRICT: Final = frozenset({"say", "say_n", "say_in"})
"""Those that take nothing else than a template written out."""
MADE_UP: Final = (ast.JoinedStr, ast.BinOp, ast.IfExp)
"""What a template is never made by; the others may also take a finished Sentence."""
PASSED_ON: Final = frozenset({"template", "text"})
"""The names of parameters with a template that was written out elsewhere."""
ENGLISH_ONLY: Final = ROOT / "service" / "api"
"""What programs read is not translated."""
IN_TEMPLATES: Final = ("_", "gettext", "ngettext", "pgettext")
"""What says a text in the templates of mails and pages; `trans` comes as one of these, too."""
OPTIONS: Final = {"encoding": "utf-8", "silent": "false", "trim_blocks": "true", "lstrip_blocks": "true"}
"""How those templates are read."""
WIDTH: Final = 100
HEADER: Final = (
    'msgid ""\n'
    'msgstr ""\n'
    '"Language: {language}\\n"\n'
    '"MIME-Version: 1.0\\n"\n'
    '"Content-Type: text/plain; charset=utf-8\\n"\n'
    '"Content-Transfer-Encoding: 8bit\\n"\n'
    '"Plural-Forms: {plural}\\n"\n'
)


class NoTemplate(Exception):
    """A text for people that is not written out where it is said, so that nobody could translate it."""


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """What a catalogue holds a translation of."""

    context: str
    one: str
    many: str = ""

    @property
    def id(self) -> str | tuple[str, str]:
        """As gettext has it: a pair where number matters."""
        return (self.one, self.many) if self.many else self.one


def main(names: Iterable[str]) -> None:
    """Bring the catalogues of these names up to date, all of them where none is named."""
    wanted = list(names) or list(NAMES)
    for name in wanted:
        if name not in NAMES:
            sys.exit(f"There is no catalogue {name!r}; there are {', '.join(NAMES)}.")
    for language in LANGUAGES:
        for name in wanted if language != ENGLISH else ():
            missing = update(language, name)
            sys.stdout.write(f"{po_file(language, name).relative_to(ROOT)}: {missing or 'nothing'} to translate\n")


def update(language: str, name: str) -> int:
    """Write one catalogue anew with the texts of the code. How many are not translated."""
    old = read(language, name)
    new = Catalog(locale=language, charset="utf-8")
    for text in texts(name):
        kept = old.get(text.id, text.context or None)
        new.add(text.id, _translation(kept, text), context=text.context or None)
    path = po_file(language, name)
    path.parent.mkdir(exist_ok=True)
    plural = f"nplurals={new.num_plurals}; plural={new.plural_expr};"
    written = path.with_suffix(".new")
    with written.open("wb") as file:
        file.write(HEADER.format(language=language, plural=plural).encode())
        file.write(b"\n")
        write_po(file, new, width=WIDTH, no_location=True, omit_header=True)
    written.replace(path)
    read.cache_clear()
    return sum(1 for message in new if message.id and not is_translated(message))


def texts(name: str) -> list[Text]:
    """The texts of one catalogue, each once, in alphabetical order."""
    return sorted({*_commands(name), *_in_code(name), *(_in_templates() if name == SHARED else ())})


def _translation(kept: Message | None, text: Text) -> str | tuple[str, ...]:
    """The translation there was, if it was one of the very same text."""
    if kept is None or kept.fuzzy or isinstance(kept.id, str) != isinstance(text.id, str):
        return ""
    if not isinstance(kept.id, str) and tuple(kept.id) != text.id:
        return ""
    return cast("str | tuple[str, ...]", kept.string)


def _commands(name: str) -> Iterator[Text]:
    """The words of the notation that are words: "q1" and "plus3" are the same everywhere."""
    for word in UNIVERSAL if name == SHARED else RULESETS[name].notation.reserved:
        if word.isalpha():
            yield Text(COMMAND, word)


def _in_code(name: str) -> Iterator[Text]:
    folders = {kind: ROOT / "domain" / kind.replace("-", "_") for kind in RULESETS}
    own = [folders[name]] if name in folders else [ROOT / package for package in PACKAGES]
    for path in sorted(path for folder in own for path in folder.rglob("*.py")):
        belongs = next((kind for kind, folder in folders.items() if folder in path.parents), SHARED)
        if belongs == name and ENGLISH_ONLY not in path.parents:
            yield from _said_in(path)


def _said_in(path: Path) -> Iterator[Text]:
    """The texts of one module. Raises NoTemplate."""
    for call in ast.walk(ast.parse(path.read_text(), str(path))):
        if not isinstance(call, ast.Call):
            continue
        function = getattr(call.func, "id", "") or ("refuse" if getattr(call.func, "attr", "") == "refuse" else "")
        places = TEMPLATE_OF.get(function)
        if places is None:
            continue
        given = [call.args[place] if place < len(call.args) else call for place in places]
        context = _literal(call.args[0]) if function == "say_in" else ""
        forms = [_literal(one) for one in given]
        if None not in forms and context is not None:
            yield Text(context, *(str(form) for form in forms))
        elif isinstance(given[0], MADE_UP) or (function in STRICT and not _is_passed_on(given[0])):
            where = f"{path.relative_to(ROOT)}:{call.lineno}"
            raise NoTemplate(f"{where}: {function}() wants its template written out, so that it can be translated.")


def _is_passed_on(argument: ast.expr) -> bool:
    return isinstance(argument, ast.Name) and argument.id in PASSED_ON


def _literal(argument: ast.expr) -> str | None:
    """An argument that is a text written out; None for any other."""
    return argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else None


def _in_templates() -> Iterator[Text]:
    """The texts of the templates of mails and pages: `_()`, `pgettext` and `trans`."""
    for path in sorted(path for folder in TEMPLATES for path in (ROOT / folder).rglob("*") if path.is_file()):
        with path.open("rb") as file:
            found = babel_extract(file, IN_TEMPLATES, [], OPTIONS)
            for _, function, message, _ in found:
                forms = message if isinstance(message, tuple) else (message,)
                if function == "pgettext":
                    yield Text(str(forms[0]), str(forms[1]))
                else:
                    yield Text("", *(str(form) for form in forms[:2] if form is not None))


if __name__ == "__main__":
    main(sys.argv[1:])
