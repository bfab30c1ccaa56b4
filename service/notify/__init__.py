"""What players are told: the log of notices, digests, quiet hours, webhooks."""
