"""Controllers and dialogs that open, create, synchronize and close projects."""
