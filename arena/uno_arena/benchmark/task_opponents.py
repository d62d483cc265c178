"""The field: the agents that everybody plays against in the benchmark.

A field never changes under its version: a new one is another version of every task. These are three
members of `uno_agents.field`, few enough that a run takes minutes; `uno-arena field` plays all.
"""

FIELD = ("heuristic", "greedy", "frozen:generalist-1")
"""Field of the tasks of version 2; the first is the baseline that ratings are told against."""
FIELD_1 = ("heuristic", "greedy")
"""Opponents of the tasks of version 1, and of those for language models."""
