"""The web application: API, health, pages. What it is made of is loaded when one is made (decision 0106)."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from flask import Flask

if TYPE_CHECKING:
    from service.container import Services

API: Final = (
    "players", "people", "leave", "mails", "me_export", "webhooks", "feeds", "rulesets", "games", "actions", "moves",
    "drafts", "orders", "rewind", "clock", "clock_votes", "messages", "notes", "notices", "events", "checkpoints",
    "bundles", "story", "statistics", "analysis", "push", "my_events",
)  # fmt: skip
"""The resources, modules of `service.api` with a blueprint `bp`, in the order of the document that describes them."""
WEB: Final = (
    "health", "keys", "http.assets", "pages.home", "pages.play_now", "pages.docs", "pages.sign_in",
    "pages.me.profile", "pages.me.mail", "pages.me.feeds", "pages.me.leave", "pages.me.access", "pages.me.data",
    "pages.feeds", "pages.me.people", "pages.my_games", "pages.person", "pages.orders", "pages.unsubscribe",
    "pages.mailbox", "pages.components", "pages.rules", "pages.turns", "pages.lobby", "pages.opening", "pages.game",
    "pages.table", "pages.seat_bots", "pages.game_moves", "pages.game_table", "pages.analysis", "pages.preview",
    "pages.learn", "pages.replay", "pages.check", "pages.me.devices", "pages.shell",
    "pages.statistics", "pages.gallery",
)  # fmt: skip
"""What is no resource of the API, modules of `service.web` with a blueprint `bp`."""


def create_app(services: "Services") -> Flask:
    """The application of one service. Opens no connection."""
    from werkzeug.middleware.proxy_fix import ProxyFix

    from service.api.http import cors, watching
    from service.api.http.application import Application, with_headers
    from service.api.http.failures import handle_errors
    from service.api.http.limits import limit_requests
    from service.api.http.preconditions import drop_unreadable_dates
    from service.api.http.problems import ProblemApi
    from service.api.http.reading import WholeNumber, refuse_encoded
    from service.web import answers
    from service.web.http.page import as_page, prepare_pages
    from service.web.http.redirects import lead_to_page

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
    handle_errors(app)
    app.extensions["description"] = api = ProblemApi(app)
    api.register_field(WholeNumber, "integer", None)
    for name in API:
        api.register_blueprint(import_module(f"service.api.{name}").bp)
    for name in WEB:
        app.register_blueprint(import_module(f"service.web.{name}").bp)
    prepare_pages(app)
    app.before += [
        watching.begin,
        drop_unreadable_dates,
        answers.require_host,
        answers.stay_with_metrics,
        cors.preflight,
        refuse_encoded,
    ]
    app.after += [as_page, answers.finish]
    limit_requests(app, services.settings, answers.session)
    app.before.append(lead_to_page)
    app.after += [cors.share, watching.end]
    app.teardown_request(watching.let_go)
    app.wsgi_app = with_headers(app.wsgi_app, answers.HEADERS)  # type: ignore[method-assign, assignment]
    if services.settings.trusted_proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=services.settings.trusted_proxies, x_proto=1, x_host=1)  # type: ignore[method-assign]
    return app
