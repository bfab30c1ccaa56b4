"""Backups of the whole service in one file, and restoring one: docs/backup.md has the format."""
