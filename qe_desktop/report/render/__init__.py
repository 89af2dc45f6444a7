"""Tables and charts as text, TSV, LaTeX, HTML and SVG."""
