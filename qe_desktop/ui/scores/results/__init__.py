"""Results computed in the background: base classes of services and pages, and table views."""
