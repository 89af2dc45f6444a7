"""Opening and writing files safely."""
