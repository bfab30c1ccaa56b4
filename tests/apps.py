"""Applications for tests that look at pages or speak to the API: to make one takes longer than most tests."""

from flask import Flask

from domain.rulesets import RULESETS
from service.app import create_app
from service.container import Services

_SPARE: dict[tuple[object, ...], list[Flask]] = {}
"""Applications that no test uses now, by the settings they were made for."""
_TAKEN: list[tuple[list[Flask], Flask]] = []


def app_of(services: Services) -> Flask:
    """Return the application of these services until it is given back, the end of the test at the latest."""
    settings = services.settings
    if settings.rate_limits and not settings.embedded:  # it counts callers in Redis
        return create_app(services)
    spare = _SPARE.setdefault((settings.max_body, settings.trusted_proxies, settings.rate_limits), [])
    app = spare.pop() if spare else _made(services)
    if settings.rate_limits:
        app.extensions["wardroom-limits"].memory.storage.reset()
    app.extensions["wardroom"] = services
    if app.extensions["described"] != [(settings.base_url, *RULESETS)]:
        description = app.extensions["description"]
        with description._describing:  # perhaps a late request of the test before is still at it
            description._document = b""
    _TAKEN.append((spare, app))
    return app


def _made(services: Services) -> Flask:
    """Make an application that notes for which address and games it was described last."""
    app = create_app(services)
    description, described = app.extensions["description"], app.extensions.setdefault("described", [])
    complete = description._completed

    def completed() -> bytes:
        described[:] = [(app.extensions["wardroom"].settings.base_url, *RULESETS)]
        return complete()

    description._completed = completed
    return app


def give_back(which: Flask | None = None) -> None:
    """This application is free for others, or every one."""
    for taken in [pair for pair in _TAKEN if which in (None, pair[1])]:
        spare, app = taken
        _TAKEN.remove(taken)
        spare.append(app)
