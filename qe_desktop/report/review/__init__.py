"""Reports on a review: an HTML page with all changes, and the statistics of the job."""
