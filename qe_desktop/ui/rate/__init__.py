"""Rate area as raters use it: it shows one item at a time and can be used with the keyboard alone."""
