"""External QE systems: commands configured by the user on this machine, which read texts and write predictions.

Only the user can define a command: files, projects and servers can neither contain commands nor refer to them. An
import contract in `pyproject.toml` enforces this rule.
"""
