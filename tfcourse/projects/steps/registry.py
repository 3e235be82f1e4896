"""El registro de los proyectos y de sus pasos, en el orden en que se construyen."""

import importlib
import pkgutil

import tfcourse.projects.steps
from tfcourse.projects.steps.piece import LENT, REMOTE, Step

__all__ = ["LENT", "REMOTE", "STEPS", "project_steps", "projects"]


def projects() -> tuple[str, ...]:
    """Los proyectos que hay, por orden alfabético: cada uno es una carpeta."""
    found = pkgutil.iter_modules(tfcourse.projects.steps.__path__)
    return tuple(info.name for info in found if info.ispkg)


def project_steps(project: str) -> tuple[Step, ...]:
    """Los pasos de un proyecto, en su orden."""
    return importlib.import_module(f"tfcourse.projects.steps.{project}").STEPS


STEPS: dict[str, Step] = {
    step.card.id: step for project in projects() for step in project_steps(project)
}
