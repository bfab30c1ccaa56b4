"""Ballots: orders for a whole election, filed ahead."""
