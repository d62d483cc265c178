"""The standard tasks, the leaderboard, and comparisons in the games of other projects."""
