"""What raters answer: the events of their work, what holds after them, and the ratings that it comes to."""
