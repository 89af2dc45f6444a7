"""Texts to be read: large, plain, each in its own direction."""
