"""The blankets of many targets: the result, its files, and one graph of them all."""
