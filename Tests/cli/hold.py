"""Holds a domain's lock through the C library until standard input ends: hold.py DOMAIN. Says so once it has it."""

import ctypes
import os
import sys

library = ctypes.CDLL(os.path.join(os.environ["SATCHEL_LIB"], "libsatchel.so"))
settings = ctypes.c_void_p()
transaction = ctypes.c_void_p()
if (
    library.satchel_settings_open(ctypes.byref(settings), sys.argv[1].encode(), None)
    != 0
):
    sys.exit("cannot open")
if library.satchel_settings_begin(ctypes.byref(transaction), settings) != 0:
    sys.exit("cannot begin")
print("held", flush=True)
sys.stdin.read()
library.satchel_transaction_rollback(transaction)
