"""Studies of metrics: synthetic labellings, repeated sampling and thresholds, on what is open."""
