"""Tiny games of UNO that can be solved: their trees, exact exploitability, named tasks `tiny-*`."""
