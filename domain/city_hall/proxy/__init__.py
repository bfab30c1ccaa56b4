"""Proxies: bids and answers in an auction, ordered ahead."""
