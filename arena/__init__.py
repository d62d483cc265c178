"""Who is better: duplicate deals, ratings and reports with confidence intervals.

Imports `agents` and `uno_env`; knows nothing of training or serving."""
