"""Applications for tests that look at pages or speak to the API: to make one takes longer than most tests."""

from flask import Flask

from service.app import create_app
from service.container import Services

_SPARE: dict[tuple[object, ...], list[Flask]] = {}
"""Applications that no test uses now, by the settings they were made for."""
_TAKEN: list[tuple[list[Flask], Flask]] = []


def app_of(services: Services) -> Flask:
    """The application of these services until it is given back, the end of the test at the latest."""
    settings = services.settings
    if settings.rate_limits:  # it counts callers
        return create_app(services)
    spare = _SPARE.setdefault((settings.max_body, settings.trusted_proxies), [])
    app = spare.pop() if spare else create_app(services)
    app.extensions["wardroom"] = services
    _TAKEN.append((spare, app))
    return app


def give_back(which: Flask | None = None) -> None:
    """This application is free for others, or every one."""
    for taken in [pair for pair in _TAKEN if which in (None, pair[1])]:
        spare, app = taken
        _TAKEN.remove(taken)
        spare.append(app)
