"""The client without `async`: made by `clients/python/unasync.py`."""
