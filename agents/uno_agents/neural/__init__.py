"""Trained networks as agents: our checkpoints, ONNX files and Stable-Baselines3 models."""
