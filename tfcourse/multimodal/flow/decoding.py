"""De un campo de velocidades a una muestra: dar pasos desde el ruido."""

from collections.abc import Callable

import torch
from jaxtyping import Float, Int
from torch import Tensor

from tfcourse.models.dit import DiT
from tfcourse.multimodal.flow.losses import Velocity

Step = Callable[[Velocity, Tensor, Tensor, float], Tensor]


def euler_step(
    velocity: Velocity, x: Float[Tensor, "B *S"], times: Float[Tensor, " B"], length: float
) -> Float[Tensor, "B *S"]:
    """Un paso de Euler: en línea recta, con la velocidad de donde se está."""
    return x + length * velocity(x, times)


def heun_step(
    velocity: Velocity, x: Float[Tensor, "B *S"], times: Float[Tensor, " B"], length: float
) -> Float[Tensor, "B *S"]:
    """Un paso de Heun: con la media de la velocidad de aquí y la de donde llegaría Euler.

    Llama dos veces al campo. Fuente: Karras et al. (2022), algoritmo 1; su último paso, que es de
    Euler, lo da `flow_path`.
    """
    here = velocity(x, times)
    there = velocity(x + length * here, times + length)
    return x + length * (here + there) / 2


SOLVERS: dict[str, Step] = {"Euler": euler_step, "Heun": heun_step}


@torch.no_grad()
def flow_path(
    velocity: Velocity, noise: Float[Tensor, "B *S"], n_steps: int, solver: str = "Euler"
) -> Float[Tensor, "T B *S"]:
    """El camino entero: el ruido y lo que va quedando tras cada uno de los `n_steps` pasos iguales.

    El último es siempre de Euler, porque Heun preguntaría en el instante 1: en `n_steps` pasos
    llama al campo 2 · `n_steps` − 1 veces. Fuente: Karras et al. (2022), algoritmo 1.
    Errores: `ValueError` si no hay pasos o el método no es uno de `SOLVERS`.
    """
    if n_steps < 1:
        raise ValueError(f"n_steps={n_steps}: hace falta al menos un paso")
    if solver not in SOLVERS:
        raise ValueError(f"solver={solver!r}: usa {' o '.join(SOLVERS)}")
    x, path = noise, [noise]
    for step in range(n_steps):
        times = x.new_full((len(x),), step / n_steps)
        advance = SOLVERS[solver] if step < n_steps - 1 else euler_step
        x = advance(velocity, x, times, 1 / n_steps)
        path.append(x)
    return torch.stack(path)


def guided(model: DiT, classes: Int[Tensor, " B"], guidance: float) -> Velocity:
    """Velocidad guiada: la de no decir la clase más `guidance` veces lo que cambia al decirla.

    Con 1 es la de la clase y con 0, la de no decirla; con más de 1 se exagera la diferencia.
    Fuente: Ho y Salimans (2022), ec. 6; `guidance` es lo que allí se escribe 1 + w.
    """
    nobody = torch.full_like(classes, model.config.no_class)

    def velocity(x: Tensor, times: Tensor) -> Tensor:
        if guidance == 1:
            return model(x, times, classes)
        if guidance == 0:
            return model(x, times, nobody)
        both = model(torch.cat([x, x]), torch.cat([times, times]), torch.cat([nobody, classes]))
        plain, told = both.chunk(2)
        return plain + guidance * (told - plain)

    return velocity


def noise_like(model: DiT, n_images: int, seed: int) -> Float[Tensor, "B C H W"]:
    """Ruido gaussiano del tamaño de las imágenes del modelo, con su propia semilla."""
    config, generator = model.config, torch.Generator().manual_seed(seed)
    shape = (n_images, config.channels, config.image_size, config.image_size)
    return torch.randn(shape, generator=generator).to(next(model.parameters()).device)
