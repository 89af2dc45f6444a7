"""Journals of bilingual files that are opened without a project: nothing that was typed is lost, and MT stays MT."""
