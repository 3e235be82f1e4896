"""Medir un clasificador: su acierto y la media de la F1 de cada clase, con scikit-learn."""

from jaxtyping import Int
from torch import Tensor


def class_scores(truth: Int[Tensor, "N"], guesses: Int[Tensor, "M"]) -> dict[str, float]:
    """Acierto y macro-F1: en la segunda, una clase rara pesa lo mismo que una frecuente.

    Una respuesta que no es ninguna de las clases verdaderas es un fallo, y no una clase más.
    Errores: `ValueError` si no hay tantas respuestas como clases verdaderas, o no hay ninguna.
    """
    from sklearn.metrics import accuracy_score, f1_score

    if len(truth) != len(guesses) or not len(truth):
        raise ValueError(
            f"hay {len(guesses)} respuestas y {len(truth)} clases verdaderas: deben ser tantas "
            "unas como otras, y al menos una"
        )
    truth, guesses = truth.cpu().numpy(), guesses.cpu().numpy()
    return {
        "acierto": float(accuracy_score(truth, guesses)),
        "macro-F1": float(f1_score(truth, guesses, labels=list(set(truth)), average="macro")),
    }
