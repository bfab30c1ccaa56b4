"""People: everything that names them, what lets them in, and what they may know of."""
