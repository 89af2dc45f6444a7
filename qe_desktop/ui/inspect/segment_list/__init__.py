"""Segment list, in which segments are searched, filtered, sorted and selected."""
