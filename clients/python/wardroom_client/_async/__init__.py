"""The client with `async`, from which the other is made: see `clients/python/unasync.py`."""
