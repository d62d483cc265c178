"""`uno-mcp`: UNO for assistants, by the Model Context Protocol, on top of a `uno-serve`."""
