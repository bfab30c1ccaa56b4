"""The schema of the database, its migrations and roles, and copies of all it holds."""
