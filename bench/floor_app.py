"""The least a move over HTTP can cost here: a bare Flask view that runs the move's statements by the driver."""

import os
import threading
from types import SimpleNamespace

from flask import Flask

from bench.floors import Driver

app = Flask(__name__)
hooks = {"begin": lambda name: None, "end": lambda: None, "serve_while": lambda serves: None}
app.extensions["wardroom"] = SimpleNamespace(**hooks)  # for config/gunicorn.py
_mine = threading.local()


@app.post("/api/v1/games/<game>/moves")
def move(game: str) -> tuple[dict[str, int], int]:
    """Write what a move writes."""
    if not hasattr(_mine, "driver"):
        _mine.driver = Driver(os.environ["BENCH_FLOOR_URL"])
    return {"version": _mine.driver.move(game)}, 201
