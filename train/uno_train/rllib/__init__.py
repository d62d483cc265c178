"""Multi-agent PPO of RLlib on the vector env."""
