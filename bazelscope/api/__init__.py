"""The Python API: open a workspace, give it a Bazel command line, ask.

    workspace = Workspace.open("tensorflow")
    build = workspace.configure(["--config=mkl"])
    answer = build.path("build_pip_package", "mkl_dnn")

Every answer is a frozen value; `bazelscope.questions` holds one folder for each question.
Importing this package is cheap: each question imports what it takes.
"""

from bazelscope.api.questions import ConfiguredWorkspace
from bazelscope.api.workspace import Workspace
from bazelscope.base.budget import BudgetError, BudgetLimits

__all__ = ["BudgetError", "BudgetLimits", "ConfiguredWorkspace", "Workspace"]
