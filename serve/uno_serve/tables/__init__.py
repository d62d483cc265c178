"""Hosted tables: seats, games, clocks, storage and streams."""
