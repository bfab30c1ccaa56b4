"""Files that hold what people said and own: for the account that runs the service, and nobody else on the machine."""

import os


def opener(path: str, flags: int) -> int:
    """For `open(..., opener=opener)`: a file that is made by it can be read by its owner alone."""
    return os.open(path, flags, 0o600)
