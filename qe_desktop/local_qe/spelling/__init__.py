"""Spell checking of targets with Hunspell dictionaries, in a separate process."""
