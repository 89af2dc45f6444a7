"""Options that name what is scored: a module per kind of input adds them and reads what they name."""
