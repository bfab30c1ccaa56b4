"""What operators do: to games, seats, people, talk and what waits to go out; each act has its line in the journal."""
