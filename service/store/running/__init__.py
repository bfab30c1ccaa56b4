"""What processes and the operator know of one another's work."""
