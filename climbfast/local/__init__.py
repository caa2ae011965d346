"""Searches around one target: one file per published search, and the causal Markov blanket made of them."""
