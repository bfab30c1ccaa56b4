"""Audit bundles: their schema, writing them, verifying them (docs/audit/format.md)."""
