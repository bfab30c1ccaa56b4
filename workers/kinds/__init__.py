"""Kinds of notices, a module each: whether one is still true, and what its letter tells."""
