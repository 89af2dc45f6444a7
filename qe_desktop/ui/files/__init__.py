"""Dialogs and controllers that open, import and save files."""
