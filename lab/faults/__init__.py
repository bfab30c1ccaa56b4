"""Faults put into the product on purpose, to measure how many of them the tests find."""
