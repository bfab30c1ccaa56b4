"""Checking a history without trusting whoever kept it."""
