"""Training on a Ray cluster: rollout workers and data-parallel learners."""
