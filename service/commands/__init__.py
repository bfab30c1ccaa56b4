"""The commands of `wardroom`, a module for each thing they are about; `service.cli` puts them together."""
