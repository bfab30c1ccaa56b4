"""A mail that the service sends to itself: out by its mail server, back by its intake, and what happened to it."""
