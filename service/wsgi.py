"""What gunicorn serves: `service.wsgi:app`."""

import gc

from config.exposure import load_or_exit
from config.logging import configure
from service.app import create_app
from service.container import assemble

settings = load_or_exit()
configure(settings)
services = assemble(settings)
app = create_app(services)
gc.collect()
gc.freeze()  # what was loaded before the fork stays shared
