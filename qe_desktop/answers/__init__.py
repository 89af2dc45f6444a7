"""Answer types, rating events, the state that results from events, and its conversion to ratings."""
