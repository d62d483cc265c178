"""Tournaments on disk: the SQLite database and results as columns."""
