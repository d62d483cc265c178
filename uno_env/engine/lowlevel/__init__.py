"""Bits, SIMD, branch hints, prefetching and the worker pool: nothing here knows a rule of UNO."""
