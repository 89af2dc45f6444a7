"""Answer types, rating events, the screen states that result from events, and their conversion to ratings."""
