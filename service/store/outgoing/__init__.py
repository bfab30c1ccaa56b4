"""Notices and their deliveries, on every channel."""
