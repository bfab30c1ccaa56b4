"""The web application: API, health, pages."""

from importlib import import_module
from typing import Final

from flask import Flask, Response, current_app, request
from werkzeug.middleware.proxy_fix import ProxyFix

from service.api.http.compression import compress
from service.api.http.failures import handle_errors
from service.api.http.limits import limit_requests
from service.api.http.preconditions import tagged
from service.api.http.problems import ProblemApi, problem
from service.api.http.reading import WholeNumber
from service.container import Services
from service.web.http.forms import Pages
from service.web.http.page import prepare_pages
from service.web.http.session import session_id

API: Final = (
    "players", "leave", "mails", "me_export", "webhooks", "rulesets", "games", "actions", "moves", "drafts", "orders",
    "rewind", "clock", "clock_votes", "messages", "notices", "events", "checkpoints", "bundles", "story", "statistics",
    "analysis",
)  # fmt: skip
"""The resources, modules of `service.api` with a blueprint `bp`, in the order of the document that describes them."""
WEB: Final = (
    "health", "keys", "http.assets",
    "pages.home", "pages.docs", "pages.sign_in", "pages.me.profile", "pages.me.mail",
    "pages.me.leave", "pages.me.access", "pages.me.data", "pages.orders", "pages.unsubscribe", "pages.mailbox",
    "pages.components", "pages.rules", "pages.turns", "pages.lobby", "pages.opening",
    "pages.game", "pages.table", "pages.seat_bots", "pages.game_moves", "pages.game_table",
    "pages.analysis",
)  # fmt: skip
"""What is no resource of the API, modules of `service.web` with a blueprint `bp`."""
HEADERS: Final = {
    "Cache-Control": "private, no-store",
    "Vary": "Authorization, Accept, Cookie, Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
}


def create_app(services: Services) -> Flask:
    """The application of one service. Opens no connection."""
    app = Flask("service", template_folder="web/templates", static_folder=None)
    app.extensions["wardroom"] = services
    app.config.update(
        MAX_CONTENT_LENGTH=services.settings.max_body,
        API_TITLE="Wardroom",
        API_VERSION="1",
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX="/api/v1",
        OPENAPI_JSON_PATH="openapi.json",
        API_SPEC_OPTIONS={
            "info": {
                "description": "Political board games by correspondence; first steps at /docs, games at "
                "/api/v1/rulesets."
            },
            "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
        },
    )
    if services.settings.trusted_proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=services.settings.trusted_proxies, x_proto=1, x_host=1)  # type: ignore[method-assign]
    handle_errors(app)
    api = ProblemApi(app)
    api.register_field(WholeNumber, "integer", None)
    for name in API:
        api.register_blueprint(import_module(f"service.api.{name}").bp)
    for name in WEB:
        app.register_blueprint(import_module(f"service.web.{name}").bp)
    app.before_request(_require_host)
    limit_requests(app, services.settings, _session)
    app.after_request(_headers)
    prepare_pages(app)
    return app


def _session() -> str | None:
    """The session in which a page is asked for; None for all that is no page, and needs no look into the database."""
    return session_id() if isinstance(current_app.blueprints.get(request.blueprint or ""), Pages) else None


def _require_host() -> Response | None:
    """Refuse a request of HTTP/1.1 that does not say, or says twice, whom it is for (RFC 9112 3.2)."""
    host = request.environ.get("HTTP_HOST", "")
    if request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0" or (host and "," not in host):
        return None
    return problem(400, "no-host", "Say whom the request is for, once: an HTTP/1.1 request has one Host header.")


def _headers(response: Response) -> Response:
    response = tagged(compress(response))
    present = {name for name, _ in response.headers}
    response.headers.extend([header for header in HEADERS.items() if header[0] not in present])
    return response
