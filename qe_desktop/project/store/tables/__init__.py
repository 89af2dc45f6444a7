"""Tables of a project, and the encoding of their cells."""
