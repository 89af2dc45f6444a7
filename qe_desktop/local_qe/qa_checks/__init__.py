"""Plain checks of a translation beside its source: what can be seen without knowing either language."""
