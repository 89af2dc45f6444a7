"""Import of files into a corpus: detection, planning, questions, validation, assembly."""
