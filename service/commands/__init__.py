"""The commands of `wardroom`, a room for each concern; `service.cli` puts them together."""
