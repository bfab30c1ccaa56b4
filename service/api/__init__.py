"""The REST API: read, call, answer. No rule, no SQL and no transaction of its own stands in a view."""
