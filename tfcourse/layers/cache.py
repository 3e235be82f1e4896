"""Caché de claves y valores: lo que ya se calculó al leer no se vuelve a calcular al escribir."""

from jaxtyping import Float, Int
from torch import Tensor


class LayerCache:
    """Claves y valores de una capa; el sitio se reserva entero la primera vez.

    Errores: `ValueError` si se escribe más allá de `capacity`.
    """

    def __init__(self, capacity: int):
        self.capacity, self.length = capacity, 0
        self.keys: Tensor | None = None
        self.values: Tensor | None = None

    def extend(
        self, k: Float[Tensor, "B H L Dh"], v: Float[Tensor, "B H L Dv"]
    ) -> tuple[Float[Tensor, "B H N Dh"], Float[Tensor, "B H N Dv"]]:
        """Apunta las claves y los valores nuevos, y devuelve los de toda la secuencia."""
        start, end = self.length, self.length + k.shape[-2]
        if end > self.capacity:
            raise ValueError(
                f"la caché tiene {self.capacity} sitios y la secuencia llega a {end}: escribe "
                "menos tokens o crea el modelo con un max_length mayor"
            )
        if self.keys is None:
            self.keys, self.values = (
                x.new_empty(*x.shape[:-2], self.capacity, x.shape[-1]) for x in (k, v)
            )
        self.keys[..., start:end, :], self.values[..., start:end, :] = k, v
        self.length = end
        return self.keys[..., :end, :], self.values[..., :end, :]


class KVCache:
    """Caché de un modelo entero: una por capa.

    Ocupa `2 · capas · lote · cabezas · capacidad · Dh` números. Fuente de la idea: Shazeer (2019),
    § 2.4, atención incremental.
    """

    def __init__(self, n_layers: int, capacity: int):
        self.layers = [LayerCache(capacity) for _ in range(n_layers)]

    @property
    def length(self) -> int:
        """Cuántas posiciones se han leído ya."""
        return self.layers[0].length

    def nbytes(self) -> int:
        """Bytes reservados."""
        return sum(
            tensor.nbytes
            for layer in self.layers
            for tensor in (layer.keys, layer.values)
            if tensor is not None
        )

    def select(self, rows: Int[Tensor, "K"]) -> "KVCache":
        """La caché de algunas filas del lote, en ese orden y repetidas si hace falta."""
        chosen = KVCache(len(self.layers), self.layers[0].capacity)
        for new, old in zip(chosen.layers, self.layers, strict=True):
            new.length = old.length
            if old.keys is not None:
                new.keys, new.values = old.keys[rows], old.values[rows]
        return chosen
