"""Rows on their way into the database: writer, spool, commit."""
