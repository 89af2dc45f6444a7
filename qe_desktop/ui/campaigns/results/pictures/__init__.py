"""Pictures of results. Only `figure` may be imported before the plotting library is loaded."""
