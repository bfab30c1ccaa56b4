"""Dates of mails and HTTP as others write them: read, or counted as absent."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def read_date(text: str) -> datetime | None:
    """Return the moment that a header names, in UTC if it has no zone; None for anything that is not one.

    Python's parser raises whatever its arithmetic raises: for long years, hours and zones that is OverflowError.
    """
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
