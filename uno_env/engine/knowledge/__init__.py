"""What seats know of other hands, and determinisations that agree with it."""
