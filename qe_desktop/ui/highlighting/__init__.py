"""Custom QE systems and QA checks: Preferences pages, commands and background jobs."""
