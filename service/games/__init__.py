"""What happens at a table: play, talk, take back, order ahead; and what each may see of it."""
