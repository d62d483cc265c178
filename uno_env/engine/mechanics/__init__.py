"""The rules of play, one file for each mechanic; `engine/step.py` calls them in turn."""
