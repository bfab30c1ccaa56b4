"""The event store: streams, their heads, and all that proves that nobody changed them."""
