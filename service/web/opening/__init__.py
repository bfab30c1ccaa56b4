"""The form that opens a table: what was typed, what is wrong with it, what it would open."""
