"""Compiled search: determinisations, rollouts and their returns. Kernels only."""
