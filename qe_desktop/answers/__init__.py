"""Answer types of raters: rating events, the resulting state, and conversion to ratings."""
