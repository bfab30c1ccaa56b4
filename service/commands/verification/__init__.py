"""Histories as files, and all that checks them."""
