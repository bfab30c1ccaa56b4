"""The rules of Tammany Hall, a module for each chapter."""
