"""The database and what is made of it: its schema and roles, backups, the keys it was signed with."""
