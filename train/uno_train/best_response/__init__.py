"""Approximate exploitability: train best responses to a frozen agent and measure the best of them.

A best response wins at least what an equilibrium strategy would, so the win rate of any response
above the chance level is a lower bound of what the agent loses to an opponent who knows it
(Timbers et al. 2022, arXiv 2004.09677; local best response: Lisy and Bowling 2017, arXiv
1612.07547). `uno-arena best-response AGENT` runs `cli.py`.
"""
