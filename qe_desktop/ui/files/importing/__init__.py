"""Import of files and folders: detected formats, unused files, and corrections by the user."""
