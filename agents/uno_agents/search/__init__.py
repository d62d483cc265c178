"""Monte-Carlo search over determinisations, and search as a teacher of networks."""
