"""Answer types, rating events, the state that results from them, and their conversion to ratings."""
