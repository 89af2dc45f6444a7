"""List of the QA check results of all current targets: table, navigation and export."""
