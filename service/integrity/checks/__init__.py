"""The checks of an audit, one module for each kind of row, and the repair."""
