"""What gunicorn serves: `service.wsgi:app`."""

import gc

from config.logging import configure
from config.settings import load
from service.app import create_app
from service.container import assemble

settings = load()
configure(settings)
services = assemble(settings)
app = create_app(services)
gc.collect()
gc.freeze()  # what was loaded before the fork stays shared
