"""Threshold studies: metrics and ranking quality of word scores at every threshold."""
