"""External QE systems: commands configured by the user on this machine, which read texts and write predictions.

Only the user can define a command: no file, project or server can contain or name one. An import contract in
`pyproject.toml` enforces this.
"""
