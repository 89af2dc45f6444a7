"""Spelling of targets by Hunspell dictionaries, in a process of its own."""
