"""Answer types, rating events, the screen states that result from events, and the conversion of states to ratings."""
