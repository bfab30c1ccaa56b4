"""The commands of a mail: the grammar of its lines, and one module for what each kind of command does."""
