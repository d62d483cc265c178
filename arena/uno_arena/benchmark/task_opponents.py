"""The opponents of the benchmark's tasks: everybody plays against a table of each of them.

They never change under a task's version: others are another version. These are three members of
`uno_agents.field`, few enough that a run takes minutes; `uno-arena field` plays all.
"""

OPPONENTS = ("heuristic", "greedy", "frozen:generalist-1")
"""Those of the tasks of version 2; the first is the baseline that ratings are told against."""
OPPONENTS_1 = ("heuristic", "greedy")
"""Those of the tasks of version 1, and of those for language models."""
