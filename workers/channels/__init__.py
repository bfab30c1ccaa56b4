"""Channels: one file each. The loop, the leases and the retries are the same for all."""
