"""Baseline algorithms, one readable file each: PPO, DQN, DMC, NFSP, R-NaD, PSRO and CFR.

Each algorithm file holds its hyperparameters, its buffer, its loss and its loop. Around them,
`games.py` steps the tables, `learner.py` says what an algorithm offers, `run.py` evaluates, saves
and resumes, and `cli.py` is the command `uno-train baseline`.
"""
