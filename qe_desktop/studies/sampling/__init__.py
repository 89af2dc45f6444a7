"""Repeated sampling (Logacheva et al. 2016, section 3.2): how small a difference a metric can detect."""
