"""The rules: pure functions over events and states. No clock, no I/O, no chance of its own."""
