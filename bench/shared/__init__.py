"""What several benchmarks and reports use: data, yardsticks, the calibrated clock, and the parts of pages."""
