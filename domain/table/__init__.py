"""One correspondence game around any ruleset: seats, start, the clock's verdicts, the end."""
