"""The web application: API, health, pages. What it is made of is loaded when one is made (decision 0106)."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from flask import Flask

if TYPE_CHECKING:
    from service.container import Services

API: Final = (
    "players", "people", "leave", "mails", "me_export", "webhooks", "feeds", "rulesets", "games", "actions", "moves",
    "drafts", "orders", "rewind", "clock", "clock_votes", "messages", "notes", "notices", "events", "checkpoints",
    "bundles", "story", "statistics", "analysis", "push", "oauth", "my_events",
)  # fmt: skip
"""The resources, modules of `service.api` with a blueprint `bp`, in the order of the document that describes them."""
WEB: Final = (
    "health", "keys", "http.assets", "pages.home", "pages.docs", "pages.sign_in", "pages.me.profile", "pages.me.mail",
    "pages.me.feeds", "pages.me.leave", "pages.me.access", "pages.me.data", "pages.feeds", "pages.me.people",
    "pages.my_games", "pages.person", "pages.orders", "pages.unsubscribe", "pages.mailbox", "pages.components",
    "pages.rules", "pages.turns", "pages.lobby", "pages.opening", "pages.game", "pages.table", "pages.seat_bots",
    "pages.game_moves", "pages.game_table", "pages.analysis", "pages.preview", "pages.embed", "pages.oembed",
    "pages.learn", "pages.replay", "pages.check", "pages.me.devices", "pages.shell", "pages.statistics",
    "pages.gallery", "pages.device",
)  # fmt: skip
"""What is no resource of the API, modules of `service.web` with a blueprint `bp`."""


class Application(Flask):
    """Flask for views that are plain functions, all of them."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself: Flask would look into each hook of each request for a coroutine."""
        return func


def create_app(services: "Services") -> Flask:
    """The application of one service. Opens no connection."""
    from werkzeug.middleware.proxy_fix import ProxyFix

    from service.api.http.failures import handle_errors
    from service.api.http.problems import ProblemApi
    from service.api.http.reading import WholeNumber
    from service.api.http.watching import watch_requests
    from service.web.answers import prepare_answers
    from service.web.http.page import prepare_pages

    app = Application("service", template_folder="web/templates", static_folder=None)
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
    watch_requests(app)
    handle_errors(app)
    app.extensions["description"] = api = ProblemApi(app)
    api.register_field(WholeNumber, "integer", None)
    for name in API:
        api.register_blueprint(import_module(f"service.api.{name}").bp)
    for name in WEB:
        app.register_blueprint(import_module(f"service.web.{name}").bp)
    prepare_answers(app, services.settings)
    prepare_pages(app)
    return app
