"""Deadlines: reminding, expiring, and explaining them."""
