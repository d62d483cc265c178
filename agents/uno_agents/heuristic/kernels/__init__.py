"""Compiled players: functions of one row of bytes, called in batches and inside rollouts.

This folder holds kernels only: an edit of any file in it compiles them all anew.
"""
