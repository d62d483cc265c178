"""The forward pass of policy networks, compiled.

This folder holds kernels only: an edit of any file in it compiles them all anew.
"""
