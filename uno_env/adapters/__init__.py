"""Adapters for libraries whose own PettingZoo wrappers are not enough; each needs its library."""
