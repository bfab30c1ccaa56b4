"""Tammany Hall in words: notation, story, guide, and the board as text."""
