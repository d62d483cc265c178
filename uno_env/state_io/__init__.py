"""A game as data: snapshots, views, events, replays and determinisations."""
