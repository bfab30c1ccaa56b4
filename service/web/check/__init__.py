"""Checking a game in the browser: the texts of its modules, and the page that works without a server."""
