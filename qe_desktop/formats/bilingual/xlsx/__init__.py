"""Reading and writing of Excel workbooks; parts that are not edited are kept unchanged."""
