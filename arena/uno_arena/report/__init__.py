"""Reports of a tournament: text, JSON, HTML and plots."""
