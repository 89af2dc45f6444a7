"""How the files of the sample corpora are derived from what was written by hand."""
