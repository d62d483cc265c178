"""The one compiled engine: every rule of every variant, over records of plain numbers."""
