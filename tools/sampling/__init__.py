"""Derivation of the sample corpora's files from hand-written texts."""
