"""The HTTP API: routes, models, limits and errors."""
