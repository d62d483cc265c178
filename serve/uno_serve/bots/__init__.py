"""Bots of the server: loading, batching and isolating them."""
