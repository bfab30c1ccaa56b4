"""Deadlines and time spans as letters write them."""

from service.languages.time_text import due_words, left_words, utc_words

__all__ = ["due_words", "left_words", "utc_words"]
