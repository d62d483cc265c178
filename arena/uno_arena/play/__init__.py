"""Playing the games of a tournament: match-ups, chunks of duplicate deals, executors."""
