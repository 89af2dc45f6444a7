"""Human evaluation: protocols, assignment, rating sessions, aggregation, agreement."""
