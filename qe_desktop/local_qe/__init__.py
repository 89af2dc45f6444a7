"""Local quality estimation: external QE commands and QA checks."""
