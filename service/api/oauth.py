"""Programs without a browser get a token by a code that their person types at one: the device flow of OAuth (RFC 8628).

Its paths take forms, as RFC 8628 says, or JSON; what they refuse is a problem that has the `error` of OAuth, too.
"""

from typing import Any, Final

from flask import Request, Response
from flask.views import MethodView
from marshmallow import fields, validate

from service.accounts import device_flow
from service.accounts.device_flow import LIFE, PAUSE, TOKEN_DAYS
from service.accounts.people import LONGEST_LABEL
from service.accounts.scopes import SCOPES, read_scopes, write_scopes
from service.api.http.answers import answer
from service.api.http.auth import services
from service.api.http.blueprint import Resource
from service.api.http.problems import problem
from service.api.http.reading import Strict, StrictParser, Words, refuse
from service.kernel.clock import SECOND

GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
FORM: Final = "application/x-www-form-urlencoded"
PLAIN: Final = r"^[^\u0000-\u001f\u007f]+$"
WHY: Final = {
    device_flow.PENDING: "Nobody has typed the code yet: ask again after “interval” seconds.",
    device_flow.SLOW_DOWN: "That was too early: wait five seconds longer than before, from now on.",
    device_flow.DENIED: "The person at the browser said no.",
    device_flow.EXPIRED: "Nobody typed the code in time: begin anew.",
    device_flow.UNKNOWN: "There is no such device code, or its token was collected: begin anew.",
}

INVALID_SCOPE: Final = "invalid_scope"
CODES: Final = {error: error.replace("_", "-") for error in (INVALID_SCOPE, *WHY)}
"""The `code` of a problem, by the `error` of RFC 8628 3.5 beside it."""


class FormOrJson(StrictParser):
    """Reads a form as if it were JSON."""

    def _raw_load_json(self, req: Request) -> Any:
        if req.mimetype != FORM:
            return super()._raw_load_json(req)
        if any(len(values) > 1 for values in req.form.listvalues()):
            refuse("A field stands twice in the form.", "bad-form")
        return req.form.to_dict()


class OAuth(Resource):
    """A resource that takes forms, too."""

    ARGUMENTS_PARSER = FormOrJson()


bp = OAuth("oauth", description="Tokens for programs without a browser (RFC 8628)")


SEVERAL: Final = "^ *({0})( +({0}))* *$".format("|".join(SCOPES))


class DeviceRequestSchema(Strict):
    """A program that wants a token."""

    client_id = Words(
        required=True,
        validate=validate.Length(1, LONGEST_LABEL),
        metadata={"description": "what its person is told it is called", "example": "wr", "pattern": PLAIN},
    )
    scope = fields.String(
        load_default="read play talk",
        validate=validate.Length(max=100),
        metadata={"description": "scopes with blanks between", "example": "read play", "pattern": SEVERAL},
    )


class DeviceCodeSchema(Strict):
    """What to show to its person, and what to ask with."""

    device_code = fields.String(required=True)
    user_code = fields.String(required=True, metadata={"example": "WDJB-MJHT"})
    verification_uri = fields.String(required=True)
    verification_uri_complete = fields.String(required=True)
    expires_in = fields.Integer(required=True, metadata={"description": "seconds"})
    interval = fields.Integer(required=True, metadata={"description": "seconds between questions for the token"})


class DeviceTokenRequestSchema(Strict):
    """A program that asks whether it was let in."""

    grant_type = fields.String(required=True, validate=validate.Equal(GRANT), metadata={"enum": [GRANT]})
    device_code = fields.String(required=True, validate=validate.Length(1, 200))
    client_id = fields.String(validate=validate.Length(max=200))


class DeviceTokenSchema(Strict):
    """A token: shown once, never again."""

    access_token = fields.String(required=True)
    token_type = fields.String(required=True, validate=validate.OneOf(["Bearer"]))
    expires_in = fields.Integer(required=True, metadata={"description": "seconds"})
    scope = fields.String(required=True)


@bp.route("/oauth/device")
class DeviceAuthorization(MethodView):
    """Beginning to wait."""

    @bp.arguments(DeviceRequestSchema)
    @bp.response(200, DeviceCodeSchema)
    def post(self, wanted: dict[str, str]) -> Response:
        """Begin: show `user_code` and `verification_uri` to your person, then ask /oauth/token with `device_code`."""
        try:
            scopes = write_scopes(read_scopes(wanted["scope"]))
        except ValueError as error:
            return _refused(INVALID_SCOPE, error.args[0])
        with services().database.write() as tx:
            made = device_flow.begin(services(), tx, wanted["client_id"], scopes)
        page = f"{services().settings.base_url}/device"
        codes = {"device_code": made.device_code, "user_code": made.user_code}
        pages = {"verification_uri": page, "verification_uri_complete": f"{page}?code={made.user_code}"}
        return answer({**codes, **pages, "expires_in": LIFE // SECOND, "interval": PAUSE})


@bp.route("/oauth/token")
class DeviceToken(MethodView):
    """Asking for the token."""

    @bp.arguments(DeviceTokenRequestSchema)
    @bp.response(200, DeviceTokenSchema)
    def post(self, wanted: dict[str, str]) -> Response:
        """The token, once the person at the browser said yes; until then 400 with `error` as RFC 8628 3.5 has it."""
        with services().database.write() as tx:
            token, told = device_flow.collect(services(), tx, wanted["device_code"])
        if token is None:
            return _refused(told, WHY[told])
        made = {"access_token": token, "token_type": "Bearer", "scope": told}
        return answer({**made, "expires_in": TOKEN_DAYS * 24 * 3600})


def _refused(error: str, why: str) -> Response:
    return problem(400, CODES[error], why, error=error, error_description=why)
