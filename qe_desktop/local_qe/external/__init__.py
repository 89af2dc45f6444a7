"""External QE systems: commands that the user configured on this machine; they read two texts and write predictions.

Only the user can define a command: no file, project or server can contain or name one (an import contract in
`pyproject.toml`).
"""
