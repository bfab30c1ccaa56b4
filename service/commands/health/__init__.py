"""Whether the service does what it should: `wardroom doctor`, and what containers and monitors ask."""
