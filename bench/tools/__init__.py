"""What developers run: the check of speed, the fit of the cost model, and samples of large networks."""
