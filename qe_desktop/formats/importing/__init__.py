"""From files to a corpus: detect, plan, ask, validate, build."""
