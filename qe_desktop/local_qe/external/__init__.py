"""QE systems of one's own: commands that a person named on this machine, which read two texts and write what they say.

What is run is named by a person alone: no file, project or server can bring a command, nor name one (`pyproject.toml`).
"""
