"""Tables of a project, and the encoding of their cells.

Functions that read rows raise CorruptRowError (`cell_codec`) if a row is invalid. Unreadable rating events are
skipped instead.
"""
