"""All metrics page: scores of all systems by all metrics, for the open data or each language pair of a folder."""
