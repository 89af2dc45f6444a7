"""Studies of metrics: trivial baselines, repeated sampling and thresholds."""
