"""Threshold studies: metrics of word scores at every threshold, and threshold-free ranking quality."""
