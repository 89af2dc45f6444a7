"""The list of segments: find, filter, sort, select."""
