from qe_desktop.api import compare as compare
from qe_desktop.api import score as score
from qe_desktop.corpus import QeError as QeError
from qe_desktop.corpus import TagColumn as TagColumn

__version__: str
