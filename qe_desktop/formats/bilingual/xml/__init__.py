"""Bilingual XML formats: XLIFF, SDLXLIFF, MXLIFF, MQXLIFF and TMX."""
