"""What the engine tells: the encoded observation and the event log."""
