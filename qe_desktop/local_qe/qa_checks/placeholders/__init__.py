"""Checks of text that programs replace or interpret: placeholders, format strings, markup, access keys, addresses."""
