"""The translations of a segment side by side under the reader: lines, marks, and what they mean."""
