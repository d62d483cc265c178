"""Vector environments, with forms for Gymnasium and Stable-Baselines3."""
