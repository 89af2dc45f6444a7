"""Queue of rows to be saved: writer thread, spool file, commits."""
