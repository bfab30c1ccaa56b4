"""Rows, the database, and the statements of the hot path. Above it nobody sees a row, below it nobody sees a rule."""
