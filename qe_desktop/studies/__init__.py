"""Studies of metrics: agreement with human scores, discriminative power, thresholds, sampling and post-editing."""
