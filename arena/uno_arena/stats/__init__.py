"""Win rates with intervals, sequential tests and ratings."""
