"""Applications for tests that look at pages or speak to the API: to make one takes longer than most tests."""

from flask import Flask

from domain.rulesets import RULESETS
from service.app import create_app
from service.container import Services

_SPARE: dict[tuple[object, ...], list[Flask]] = {}
"""Applications that no test uses now, by the settings they were made for."""
_TAKEN: list[tuple[list[Flask], Flask]] = []


def app_of(services: Services) -> Flask:
    """The application of these services until it is given back, the end of the test at the latest."""
    settings = services.settings
    if settings.rate_limits and not settings.embedded:  # it counts callers in Redis
        return create_app(services)
    made_for = (
        settings.max_body,
        settings.trusted_proxies,
        settings.rate_limits,
        *RULESETS,
    )  # its description names them
    spare = _SPARE.setdefault(made_for, [])
    app = spare.pop() if spare else create_app(services)
    if settings.rate_limits:
        app.extensions["wardroom-limits"].memory.storage.reset()
    base_url = app.extensions["wardroom"].settings.base_url
    app.extensions["wardroom"] = services
    if base_url != settings.base_url:
        description = app.extensions["description"]
        with description._describing:  # perhaps still for a window of the test before
            description._document = b""  # in which that stands
    _TAKEN.append((spare, app))
    return app


def give_back(which: Flask | None = None) -> None:
    """This application is free for others, or every one."""
    for taken in [pair for pair in _TAKEN if which in (None, pair[1])]:
        spare, app = taken
        _TAKEN.remove(taken)
        spare.append(app)
