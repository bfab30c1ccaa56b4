"""What gunicorn serves: `service.wsgi:app`."""

import gc

gc.disable()  # while it loads there is no garbage to look for

from config.exposure import load_or_exit  # noqa: E402
from config.logging import configure  # noqa: E402
from domain.rulesets import RULESETS  # noqa: E402
from service.app import create_app  # noqa: E402
from service.container import assemble  # noqa: E402
from service.kernel.late import load_all  # noqa: E402
from service.store.structure.schema import require_or_exit  # noqa: E402

settings = load_or_exit()
configure(settings)
services = assemble(settings)
require_or_exit(services.database)
app = create_app(services)
load_all()  # before the fork, so that processes share it and the first request does not wait
tuple(RULESETS.values())
app.extensions["description"].describe()
gc.collect()
gc.freeze()  # what was loaded before the fork stays shared
gc.enable()
gc.set_threshold(10_000)  # a request leaves few cycles: looking for them every 700 objects took a twentieth of it
