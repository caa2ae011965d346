"""Graphs over all columns."""
