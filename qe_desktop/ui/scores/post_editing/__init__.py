"""Post-editing page: effort, highlight usefulness and missed edits."""
