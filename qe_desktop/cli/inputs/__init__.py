"""Options for the inputs to score: one module per kind of input adds them and reads the files."""
