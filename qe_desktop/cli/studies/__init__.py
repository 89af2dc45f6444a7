"""Subcommands of `qe-desktop study`, one module per study."""
