"""Results computed in the background: the service, its page and its table."""
