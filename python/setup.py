"""Builds the package: CMake makes the module and the program of SQL, setuptools puts them beside the Python files.

    pip install --no-build-isolation --no-deps ./python

It builds in build/python of the checkout; RESIDUE_PYTHON_BUILD names another folder. Nothing is downloaded: what is
needed comes from Debian (scripts/deps python).
"""

import os
import pathlib
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = pathlib.Path(os.environ.get("RESIDUE_PYTHON_BUILD", ROOT / "build" / "python"))
MADE = ("_core.so", "_statement", "libresidue_facts.so.1")


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        made = BUILD / "python" / "residue"
        if not (ROOT / "CMakeLists.txt").exists():
            raise SystemExit("setup.py: the package is built in a checkout of residue, whose folder python/ it is in")
        jobs = os.environ.get("RESIDUE_JOBS", str(os.cpu_count() or 1))
        subprocess.run(
            ["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
             "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG", "-DRESIDUE_PYTHON=ON", "-DRESIDUE_TESTS=OFF"],
            check=True,
        )  # fmt: skip
        subprocess.run(
            ["cmake", "--build", BUILD, "-j", jobs, "--target", "residue_module", "residue_statement"], check=True
        )
        to = pathlib.Path(self.get_ext_fullpath(extension.name)).parent
        to.mkdir(parents=True, exist_ok=True)
        for name in MADE:
            shutil.copy2(made / name, to / name)
            subprocess.run(["strip", "--strip-unneeded", to / name], check=True)

    def get_ext_filename(self, name):
        return name.replace(".", "/") + ".so"


# What setuptools makes on its way stays out of the sources.
(BUILD / "setuptools").mkdir(parents=True, exist_ok=True)
setup(
    options={
        "build": {"build_base": str(BUILD / "setuptools")},
        "egg_info": {"egg_base": str(BUILD / "setuptools")},
    },
    name="residue",
    version="0.1.0",
    description="Measure what a text sanitizer leaves behind",
    python_requires=">=3.11",
    packages=["residue"],
    package_data={"residue": ["py.typed", "*.pyi", "_statement", "libresidue_facts.so.1"]},
    ext_modules=[Extension("residue._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    zip_safe=False,
)
