"""Answers that are ranks: boards, cards and the ladder."""
