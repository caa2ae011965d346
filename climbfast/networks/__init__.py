"""Bayesian networks with known arcs: read, written, sampled, and asked for the truth."""
