"""Addresses given out, mail received, mailboxes that fail, and mail that nobody wants."""
