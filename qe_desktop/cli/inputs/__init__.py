"""Options for the inputs to score; each module adds the options for one kind of input and reads the files."""
