"""What a monitor reads at /metrics: how much is done, how fast, how late, and what waits (decision 0102)."""
