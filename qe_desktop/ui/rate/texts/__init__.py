"""Reading views: large plain text, with automatic direction."""
