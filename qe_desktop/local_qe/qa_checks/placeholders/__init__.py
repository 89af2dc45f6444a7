"""Checks of text that programs replace or interpret: placeholders, access keys, addresses, line breaks at the ends."""
