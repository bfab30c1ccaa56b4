"""Dates and numbers that others may write in a header, and that Python's parsers refuse in several ways."""

UNREADABLE_DATES = (
    "Mon, 1 Jan 9999999999 00:00:00 GMT",
    "Mon, 1 Jan 99999999999999999999 00:00:00 GMT",
    "Mon, 1 Jan 2026 00:00:00 +99999999999999999999",
    "Mon, 1 Jan 2026 00:00:00 +9999",
    "Mon, 1 Jan 2026 99999999999:00:00 GMT",
    "Mon, 99999999999999999999 Jan 2026 00:00:00 GMT",
    "Sat, 30 Feb 2026 00:00:00 GMT",
    "9" * 400,
    "9" * 5000,
    "1e999",
    "inf",
    "Jan",
    "0 0 0 0 0 0",
)
