"""PettingZoo AEC and Gymnasium environments of one game."""
