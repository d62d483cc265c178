"""How agents get better: self-play, opponent pools, checkpoints and export.

Imports everything below it, and never `serve`."""
