"""The compiled ring of climbfast: arrays in, arrays and scalars out."""
