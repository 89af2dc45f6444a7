"""Export formats of a reviewed corpus, one module per format."""
