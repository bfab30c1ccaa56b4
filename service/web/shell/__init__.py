"""The shell of an installed Wardroom: its icons, its manifest, and the worker that a browser keeps."""
