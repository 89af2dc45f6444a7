"""Tables of a project, and the encoding of their cells.

Readers raise CorruptRowError (`cell_validation`) for rows that this program does not write; only unreadable rating
events are skipped.
"""
