"""Checks of text that programs replace or interpret: placeholders, markup, access keys, addresses, line breaks."""
