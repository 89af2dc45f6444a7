"""Pictures of scores. The modules that paint with the plotting library are imported when a picture is first seen."""
