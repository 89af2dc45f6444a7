"""The window: what people see and touch. Nothing outside this package knows it, or Qt."""
