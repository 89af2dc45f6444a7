"""What is imported ahead, one module per turn of the event loop."""
