"""Definitions of the terms of the program, shown on hover and in the glossary (Shift+F1)."""
