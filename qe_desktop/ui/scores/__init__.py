"""The Scores area: systems × metrics, what is significant, and plots; and its narrow panel for Inspect."""
