"""The field: the agents that everybody plays against in the benchmark.

A field never changes under its version: a new one is another version of every task. Members are
specs of agents that come with the package, so that everybody has the same ones.
"""

FIELD = ("heuristic", "greedy", "pretrained:generalist")
"""Field of the tasks of version 2; the first is the baseline that ratings are told against."""
FIELD_1 = ("heuristic", "greedy")
"""Opponents of the tasks of version 1, and of those for language models."""
