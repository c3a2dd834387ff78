"""Settings for every program on the machine: one store, open at once to Python, C, Swift and the shell.

>>> import satchel
>>> settings = satchel.Settings("org.example.player")
>>> settings["volume"] = 0.5
>>> settings["volume"]
0.5
"""

from ._codecs import (
    convert,
    from_dotenv,
    from_json,
    from_text,
    to_dotenv,
    to_json,
    to_text,
)
from ._errors import (
    BusyError,
    ConflictError,
    CorruptError,
    DeniedError,
    Error,
    ExistsError,
    FullError,
    GoneError,
    InvalidError,
    LockedError,
    NotFoundError,
    OutOfMemoryError,
    ParseError,
    RangeError,
    ReadOnlyError,
    StoreError,
    TimedOutError,
    UnsupportedError,
    ValueTypeError,
    VersionError,
)
from ._native import Transaction
from ._native import version as __version__
from ._ordered_dict import OrderedDict
from ._settings import Settings, domains
from ._values import URL, DateTime, Health, KeyInfo, Type, Value
from ._weakcache import WeakCache

__all__ = [
    "URL",
    "BusyError",
    "ConflictError",
    "CorruptError",
    "DateTime",
    "DeniedError",
    "Error",
    "ExistsError",
    "FullError",
    "GoneError",
    "Health",
    "InvalidError",
    "KeyInfo",
    "LockedError",
    "NotFoundError",
    "OrderedDict",
    "OutOfMemoryError",
    "ParseError",
    "RangeError",
    "ReadOnlyError",
    "Settings",
    "StoreError",
    "TimedOutError",
    "Transaction",
    "Type",
    "UnsupportedError",
    "Value",
    "ValueTypeError",
    "VersionError",
    "WeakCache",
    "__version__",
    "convert",
    "domains",
    "from_dotenv",
    "from_json",
    "from_text",
    "to_dotenv",
    "to_json",
    "to_text",
]
