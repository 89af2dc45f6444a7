"""Data of post-editing as other programs read them: QE4PE's table, PET's XML, the files of the shared tasks."""
