"""Reading requests strictly: JSON that means one thing, within limits of size and depth, without unknown fields."""

import json
import re
from collections.abc import Mapping
from datetime import date
from typing import Any, Final, NoReturn

from flask import Request, Response, abort
from flask_smorest import abort as problem_abort
from marshmallow import RAISE, Schema, ValidationError, fields, validate
from webargs import missing
from webargs.flaskparser import FlaskParser

from service.api.http.application import asked_now
from service.api.http.problems import problem
from service.kernel.clock import from_text

DEEPEST: Final = 20
_BRACKETS: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)
"""Texts, also one that does not end, and brackets. Possessive, so that no body takes more than one pass (F-47)."""


_MOMENT: Final = re.compile(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?Z"
)
_NO_TEXT: Final = re.compile(r"[\ud800-\udfff]|(?<!\\)(?:\\\\)*\\u0000")
"""Lone surrogates, and NUL as json.dumps writes it."""


class StrictParser(FlaskParser):
    """webargs for our requests: 400 for what cannot be read, 415 for what is no JSON."""

    DEFAULT_VALIDATION_STATUS = 400
    DEFAULT_UNKNOWN_BY_LOCATION = dict.fromkeys(FlaskParser.DEFAULT_UNKNOWN_BY_LOCATION, RAISE)

    def __init__(self) -> None:
        super().__init__()
        self._unasked: dict[Any, Mapping[str, Any]] = {}

    def parse(self, argmap: Any, req: Request | None = None, *, location: str | None = None, **options: Any) -> Any:
        """Read a part of a request by a schema. What no query at all says is worked out once for each schema."""
        if location != "query" or (req or asked_now()).query_string:
            return super().parse(argmap, req, location=location, **options)
        if argmap not in self._unasked:
            self._unasked[argmap] = super().parse(argmap, req, location=location, **options)
        return dict(self._unasked[argmap])

    def get_default_request(self) -> Request:
        """The request itself."""
        return asked_now()

    def _raw_load_json(self, req: Request) -> Any:
        body = req.get_data(cache=True)
        if not body:
            return missing
        if not req.is_json:
            abort(415)
        return read_body(body)


def read_body(body: bytes) -> Any:
    """The JSON of a body. Aborts with 400 for what is none: depth, duplicate keys, NaN, NUL, surrogates (T-60)."""
    try:
        text = body.decode()  # json.loads would guess UTF-16, and let surrogates pass
    except UnicodeDecodeError:
        refuse("The body is not JSON in UTF-8.", "bad-json")
    if text.count("[") + text.count("{") > DEEPEST:
        _require_shallow(text)
    try:
        value = _JSON.decode(text)
    except (ValueError, RecursionError):
        refuse("The body is not JSON, or has a key twice, or a number that is none.", "bad-json")
    if "\\u" in text and _NO_TEXT.search(json.dumps(value, ensure_ascii=False)):
        refuse("The JSON holds a character that is no text.", "bad-json")
    return value


def _require_shallow(text: str) -> None:
    depth = 0
    for match in _BRACKETS.finditer(text):
        sign = match.group()
        depth += (sign in "[{") - (sign in "]}")
        if depth > DEEPEST:
            refuse(f"The JSON is nested deeper than {DEEPEST} levels: no request here needs that.", "too-deep")


def refuse(message: str, code: str, status: int = 400) -> NoReturn:
    """Abort with a problem of this code and sentence."""
    problem_abort(status, message=message, code=code)
    raise AssertionError("abort returned")


def is_id(text: str) -> bool:
    """Whether it could be an id of ours. What could not is never looked up: PostgreSQL takes no NUL."""
    return re.fullmatch(r"[0-9A-Za-z_-]{1,64}", text) is not None


def _no_constant(text: str) -> NoReturn:
    raise ValueError(text)


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a key stands twice")
    return table


def refuse_encoded(asked: Request) -> Response | None:
    """Refuse a body in a content coding, such as gzip (RFC 9110, 15.5.16): we read none."""
    coding = asked.headers.get("Content-Encoding", "")
    if coding.strip().lower() in ("", "identity"):
        return None
    detail = "Send the body as it is, without a Content-Encoding."
    return problem(415, "unsupported-media-type", detail, headers={"Accept-Encoding": "identity"})


_JSON: Final = json.JSONDecoder(parse_constant=_no_constant, object_pairs_hook=_no_twins)


class WholeNumber(fields.Integer):
    """A JSON Schema integer: 146 and 146.0, but neither "146" nor 1.5 nor true."""

    def _validated(self, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
            raise self.make_error("invalid")
        return super()._validated(int(value))


class Flag(fields.Boolean):
    """true or false, and nothing that is merely like it."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class TextOrNumber(fields.Raw):
    """A text, or a whole number that stands for its digits."""

    def __init__(self) -> None:
        super().__init__(metadata={"anyOf": [{"type": "string"}, {"type": "integer"}]})

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> str:
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise ValidationError("Send a text or a whole number.")
        return str(value)


class OptionsField(fields.Dict):
    """Chosen values by the name of an option; a fault is told at the option's own place in the request."""

    def __init__(self, **more: Any) -> None:
        super().__init__(keys=fields.String(), values=TextOrNumber(), **more)

    def _deserialize(self, *args: Any, **more: Any) -> Any:
        try:
            return super()._deserialize(*args, **more)  # type: ignore[no-untyped-call]
        except ValidationError as error:
            if isinstance(error.messages, dict):
                faults = {name: sides.get("value", sides) for name, sides in error.messages.items()}
                raise ValidationError(faults) from error
            raise


class QueryFlag(fields.String):
    """1, true, 0 or false in a query."""

    MEANINGS: Final = {"0": False, "false": False, "1": True, "true": True}

    def __init__(self, **more: Any) -> None:
        super().__init__(load_default=False, metadata={"enum": list(self.MEANINGS), "default": "0"}, **more)

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        if value not in self.MEANINGS:
            raise ValidationError("Write 1 or true, 0 or false.")
        return self.MEANINGS[value]


class QueryNumber(fields.Integer):
    """A whole number in a query, in digits: int() would read more than that. Its range is what a fault asks for."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        bounds: Any = next(validator for validator in self.validators if isinstance(validator, validate.Range))
        if not re.fullmatch(r"[0-9]{1,12}", str(value), re.ASCII) or not bounds.min <= int(value) <= bounds.max:
            raise ValidationError(f"Send a whole number from {bounds.min} to {bounds.max}.")
        return super()._deserialize(value, *args, **more)


class Day(fields.String):
    """A day: 2026-12-24, and no other way to write it."""

    def __init__(self, **more: Any) -> None:
        metadata = {"format": "date", "example": "2026-12-24", **more.pop("metadata", {})}
        super().__init__(metadata=metadata, **more)

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        text = super()._deserialize(value, *args, **more)
        try:
            day = date.fromisoformat(text)
        except ValueError:
            day = None
        if day is None or day.isoformat() != text:
            raise ValidationError("Write a day as year, month and day: 2026-12-24.")
        return day


class Moment(fields.String):
    """A moment in UTC as we write it, with or without a part of a second: 2026-12-24T18:00:00Z. In microseconds."""

    def __init__(self, **more: Any) -> None:
        metadata = {"pattern": f"^{_MOMENT.pattern}$", "example": "2026-12-24T18:00:00Z", **more.pop("metadata", {})}
        super().__init__(metadata=metadata, **more)

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        written = super()._deserialize(value, *args, **more)
        if not _MOMENT.fullmatch(written):
            raise ValidationError("Write a moment in UTC, with the letters T and Z: 2026-12-24T18:00:00Z.")
        try:
            return from_text(written)
        except ValueError:
            refuse(f"There is no {written[:10]} in the calendar.", "bad-moment", 422)


class Words(fields.String):
    """Text without control characters."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        text = super()._deserialize(value, *args, **more)
        if any(ord(letter) < 32 or ord(letter) == 127 for letter in text):
            raise ValidationError("No control characters, please: letters, digits, blanks and punctuation.")
        return text


class Strict(Schema):
    """A schema that refuses unknown fields (T-6A)."""

    class Meta:
        unknown = RAISE


class PageQuery(Strict):
    """How much of a list, and from where."""

    limit = QueryNumber(load_default=50, validate=validate.Range(1, 100))
    cursor = fields.String(validate=validate.Length(1, 400))
