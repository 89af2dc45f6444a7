"""What a reviewed corpus can be written as: one module for each kind of file."""
