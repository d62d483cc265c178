"""The hand-written player for every variant, phase and table size."""
