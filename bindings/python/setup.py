"""Builds the extension against libsatchel and puts that beside it: the wheel needs nothing else.

The library and its headers come from build/ship/ of this tree, which `make ship` fills, or from SATCHEL_PREFIX.
"""

import os
import re
import shutil
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

here = Path(__file__).resolve().parent
prefix = Path(os.environ.get("SATCHEL_PREFIX", here.parents[1] / "build" / "ship"))
library = prefix / "lib" / "libsatchel.so.0"
if not library.exists():
    raise SystemExit(
        f"there is no {library}: run `make ship` first, or set SATCHEL_PREFIX to where Satchel is installed"
    )


def version() -> str:
    text = (prefix / "include" / "satchel" / "base.h").read_text()
    numbers = dict(re.findall(r"SATCHEL_VERSION_(\w+) (\d+)", text))
    return ".".join(numbers[part] for part in ("MAJOR", "MINOR", "PATCH"))


class BuildExtension(build_ext):
    """Copies the library to where the extension looks for it: its own folder."""

    def build_extensions(self) -> None:
        # Where this very Python looks for its libraries is no business of other machines.
        linker = self.compiler.linker_so
        self.compiler.linker_so = [
            word for word in linker if not word.startswith("-Wl,-rpath")
        ]
        super().build_extensions()

    def run(self) -> None:
        super().run()
        folder = (
            here / "src" / "satchel"
            if self.inplace
            else Path(self.build_lib) / "satchel"
        )
        shutil.copyfile(library, folder / library.name)


setup(
    version=version(),
    cmdclass={"build_ext": BuildExtension},
    ext_modules=[
        Extension(
            "satchel._native",
            sources=sorted(
                str(path.relative_to(here)) for path in here.glob("native/*.c")
            ),
            depends=["native/native.h"],
            include_dirs=[str(prefix / "include")],
            extra_objects=[str(library)],
            extra_compile_args=[
                "-std=c11",
                "-O2",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-fvisibility=hidden",
            ],
            extra_link_args=["-Wl,-rpath,$ORIGIN"],
            py_limited_api=True,
        )
    ],
    options={"bdist_wheel": {"py_limited_api": "cp310"}},
)
