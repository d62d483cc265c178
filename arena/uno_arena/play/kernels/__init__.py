"""Compiled kernels of the arena, and nothing else: an edit here compiles them anew."""
