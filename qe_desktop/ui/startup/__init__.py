"""Imports in advance, one module per event-loop iteration, and garbage collection."""
