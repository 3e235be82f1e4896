"""Un lote camino del modelo: se mueve, se reparte y se parte sin dejar de ser lo que era."""

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor

READY = 2  # lotes que esperan en el acelerador mientras se entrena con otro


def map_batch(change: Callable[[Tensor], Tensor], batch: Any) -> Any:
    """Aplica `change` a cada tensor de un lote y lo devuelve con su mismo tipo.

    Un lote es una tupla, con nombres o sin ellos, una lista o un diccionario de tensores. Lo que no
    es un tensor se queda como está.
    """
    if isinstance(batch, Tensor):
        return change(batch)
    if isinstance(batch, dict):
        return {name: map_batch(change, value) for name, value in batch.items()}
    if isinstance(batch, tuple | list):
        inside = [map_batch(change, value) for value in batch]
        return type(batch)(*inside) if hasattr(batch, "_fields") else type(batch)(inside)
    return batch


def n_examples(batch: Any) -> int:
    """Ejemplos de un lote: lo que mide su primer tensor; 1, si no hay ninguno con dimensiones."""
    if isinstance(batch, Tensor):
        return len(batch) if batch.ndim else 1
    values = batch.values() if isinstance(batch, dict) else batch
    return next((n_examples(value) for value in values if isinstance(value, Tensor)), 1)


def every_other(batch: Any, first: int, step: int) -> Any:
    """Los ejemplos `first`, `first + step`, `first + 2 · step`… de un lote."""
    return batch if step == 1 else map_batch(lambda tensor: tensor[first::step], batch)


def moved(batch: Any, device: torch.device) -> Any:
    """El lote en `device`; hacia una GPU se copia sin hacer esperar a quien lo pide."""
    if device.type != "cuda":
        return map_batch(lambda tensor: tensor.to(device), batch)
    return map_batch(
        lambda tensor: (tensor if tensor.is_cuda else tensor.pin_memory()).to(
            device, non_blocking=True
        ),
        batch,
    )


def repeated(batches: Iterable) -> Iterator:
    """Recorre los lotes una y otra vez: una lista se repite, un generador sin fin no acaba.

    Errores: `ValueError` si se acaban, que es lo que le pasa a un generador con fin.
    """
    while True:
        empty = True
        for batch in batches:
            empty = False
            yield batch
        if empty:
            raise ValueError("se acabaron los lotes: pasa una lista o un generador sin fin")


def after(batches: Iterable, seen: int) -> Iterator:
    """Los lotes que siguen a los `seen` primeros, sin fin.

    Si `batches` tiene `after(n)`, se saltan sin leerlos; si no, se leen y se tiran.
    """
    if hasattr(batches, "after"):
        return batches.after(seen)
    stream = repeated(batches)
    for _ in range(seen):
        next(stream)
    return stream


def prefetched(batches: Iterable, ready: int = READY) -> Iterator:
    """Los mismos lotes, que otro hilo prepara por adelantado mientras se entrena.

    Un error al prepararlos se lanza al pedir el lote que falta; si se deja de pedir, el hilo acaba.
    """
    made: queue.Queue = queue.Queue(maxsize=ready)
    stopped = threading.Event()

    def prepare() -> None:
        try:
            for batch in batches:
                _put(made, ("lote", batch), stopped)
                if stopped.is_set():
                    return
            _put(made, ("fin", None), stopped)
        except BaseException as error:  # cualquiera: se vuelve a lanzar en el otro hilo
            _put(made, ("error", error), stopped)

    threading.Thread(target=prepare, daemon=True).start()
    try:
        while True:
            kind, value = made.get()
            if kind == "error":
                raise value
            if kind == "fin":
                return
            yield value
    finally:
        stopped.set()


def _put(made: queue.Queue, item: tuple, stopped: threading.Event) -> None:
    """Espera a que haya sitio, salvo que ya nadie vaya a pedir nada."""
    while not stopped.is_set():
        try:
            return made.put(item, timeout=0.1)
        except queue.Full:
            continue
