"""Webhooks that are called: messages, retries, and the guarded HTTP client."""
