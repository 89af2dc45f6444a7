"""Preloading of modules, one per event-loop iteration, and control of garbage collection."""
