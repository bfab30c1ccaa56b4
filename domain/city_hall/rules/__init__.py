"""The rules of City Hall, a module for each chapter."""
