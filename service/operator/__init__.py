"""What the operator of the service does to games and players by command, each act with a line in the journal."""
