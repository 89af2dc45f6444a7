"""QE Desktop: a desktop workbench for judging machine translation."""

__version__ = "0.1.0"
