"""Bots in requests and answers: how strong, and of which temper."""

from typing import Any, Final

from marshmallow import Schema, ValidationError, fields, post_load, validate

from domain.engine.bots import STRENGTHS, TEMPERS, Bot
from service.api.http.reading import Strict, WholeNumber


class StrengthField(WholeNumber):
    """How well a bot plays."""

    SENTENCE: Final = "Strength is 0, 1, 2 or 3: 0 plays at once as the caretaker does, and 3 thinks longest."

    def __init__(self) -> None:
        super().__init__(load_default=1, metadata={"enum": list(STRENGTHS), "default": 1})

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        try:
            strength = super()._deserialize(value, *args, **more)
        except ValidationError:
            strength = None
        if strength not in STRENGTHS:
            raise ValidationError(self.SENTENCE)
        return strength


class TemperField(fields.String):
    """What a bot cares for."""

    SENTENCE: Final = "Temper is even, cautious, patient or vindictive."

    def __init__(self) -> None:
        super().__init__(load_default="even", metadata={"enum": list(TEMPERS), "default": "even"})

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        if value not in TEMPERS:
            raise ValidationError(self.SENTENCE)
        return value


class BotSchema(Strict):
    """A bot."""

    strength = StrengthField()
    temper = TemperField()

    @post_load
    def _bot(self, data: dict[str, Any], **_: Any) -> Bot:
        return Bot(**data)


class BotsField(fields.Raw):
    """So many bots of strength 1, or which."""

    NUMBER: Final = WholeNumber()
    WHICH: Final = fields.List(fields.Nested(BotSchema))

    def __init__(self) -> None:
        told = "so many of strength 1, even; or which, from left to right on the last seats"
        which = {"type": "array", "items": {"$ref": "#/components/schemas/Bot"}}
        super().__init__(load_default=0, metadata={"description": told, "anyOf": [{"type": "integer"}, which]})

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        if isinstance(value, list):
            return self.WHICH.deserialize(value)
        try:
            return self.NUMBER.deserialize(value)
        except ValidationError:
            raise ValidationError("Send how many bots, or a list of them by strength and temper.") from None


class SeatedBotSchema(Schema):
    """The bot on a seat."""

    strength = fields.Integer(
        required=True,
        validate=validate.OneOf(STRENGTHS),
        metadata={"description": "0 plays at once, as the caretaker does; 1 to 3 think, and play the better"},
    )
    temper = fields.String(
        required=True, validate=validate.OneOf(TEMPERS), metadata={"description": "what it cares for besides winning"}
    )
