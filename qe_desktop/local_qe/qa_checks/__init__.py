"""QA checks that compare a translation with its source; few of them depend on the language."""
