"""Projects on a PostgreSQL server: roles, permissions, progress."""
