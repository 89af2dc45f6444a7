"""Repeated sampling (Logacheva et al. 2016, section 3.2): how many data sets a metric needs to detect a difference."""
