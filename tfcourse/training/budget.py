"""Cuánto se entrena: tantos pasos, o tantos segundos de procesador."""

import time
from dataclasses import dataclass, field

from tfcourse.training.processes import said_by_the_first


@dataclass(frozen=True)
class Steps:
    """Entrenar tantos pasos. Errores: `ValueError` si no es ninguno."""

    number: int

    def __post_init__(self):
        if self.number < 1:
            raise ValueError(f"Steps({self.number}): hace falta al menos un paso")


@dataclass(frozen=True)
class CpuSeconds:
    """Entrenar tantos segundos de procesador, que no dependen de lo que haga el resto del equipo.

    Errores: `ValueError` si no son positivos.
    """

    seconds: float

    def __post_init__(self):
        if self.seconds <= 0:
            raise ValueError(f"CpuSeconds({self.seconds}): hace falta algo de tiempo para entrenar")


Budget = Steps | CpuSeconds


@dataclass
class Meter:
    """Lo que se lleva gastado de un presupuesto: pasos, y segundos sin contar las medidas.

    Con `Steps`, los segundos son de reloj; con `CpuSeconds`, de procesador. `steps` y `seconds` son
    lo ya gastado al empezar, si se sigue desde un punto de control.
    """

    budget: Budget
    steps: int = 0
    seconds: float = 0.0
    _since: float | None = field(default=None, repr=False)

    def run(self) -> None:
        """Pone en marcha el reloj."""
        self._since = self._now()

    def pause(self) -> None:
        """Lo para y suma lo transcurrido: medir y guardar no gastan presupuesto."""
        if self._since is not None:
            self.seconds, self._since = self.seconds + self._now() - self._since, None

    @property
    def spent(self) -> float:
        """Lo gastado, en lo que cuente el presupuesto. Si hay varios procesos, manda el primero."""
        if isinstance(self.budget, Steps):
            return self.steps
        running = 0.0 if self._since is None else self._now() - self._since
        return said_by_the_first(self.seconds + running)

    @property
    def exhausted(self) -> bool:
        """Si ya no queda presupuesto."""
        return self.spent >= total(self.budget)

    def _now(self) -> float:
        by_steps = isinstance(self.budget, Steps)
        return time.perf_counter() if by_steps else time.process_time()


def total(budget: Budget) -> float:
    """Todo el presupuesto, en sus unidades: las mismas en las que `schedule` lo ve gastarse."""
    return budget.number if isinstance(budget, Steps) else budget.seconds
