"""QA checks of a translation against its source that need no knowledge of either language."""
