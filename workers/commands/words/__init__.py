"""The words of a mail: how a line is written, and what it is read as."""
