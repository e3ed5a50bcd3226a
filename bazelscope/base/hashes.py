"""The hash that names and checks what is kept, without importing all of `hashlib`.

`hashlib` loads OpenSSL, which takes as long as printing an answer that is kept; it takes BLAKE2
from the same module as this one does.
"""

from __future__ import annotations

try:
    from _blake2 import blake2b as blake2b
except ImportError:  # Another Python than CPython.
    from hashlib import blake2b as blake2b
