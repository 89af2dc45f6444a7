"""Checks of PO targets as in `msgfmt --check`: format strings, line breaks at the beginning and end, plural forms."""
