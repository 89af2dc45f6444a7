"""The segment list: search, filter, sort, select."""
