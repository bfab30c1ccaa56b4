"""Feeds: what readers of Atom and calendars fetch."""
