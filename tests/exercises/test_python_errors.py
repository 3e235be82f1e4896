"""Los errores de Python y de PyTorch se explican en español, con la línea en la que saltan."""

import sys

import pytest
import torch

from tests.exercises.test_exercises import complaint


@pytest.mark.parametrize(
    ("error", "key", "fragment"),
    [
        (lambda a, h: a @ a @ h, "formas", "al multiplicar: (3, 5) por (3, 5)"),
        (lambda a, h: torch.cat([a, h[0]], dim=0), "formas", "al concatenar por el eje 0"),
        (lambda a, h: torch.cat([a, h]), "formas", "uno tiene 2 ejes y el otro 3"),
        (lambda a, h: torch.einsum("ab,abc->d", a, h), "formas", "`einsum`"),
        (lambda a, h: torch.bmm(a[None], h), "formas", "alpha (3, 5), h (3, 5, 4)"),
        (lambda a, h: h.view(3, 7), "formas", "[3, 7]"),
        (lambda a, h: h.sum(dim=7), "eje-inexistente", "el eje 7"),
        (lambda a, h: a[0, 0, 0], "eje-inexistente", "más índices que ejes"),
        (lambda a, h: h[99], "indice", "se sale"),
        (lambda a, h: [][1], "indice", "se sale"),
        (lambda a, h: alfa * h, "nombre", "`alfa`"),
        (lambda a, h: h.suma(1), "atributo", "`.suma`"),
        (lambda a, h: None.sum(), "atributo", "None"),
        (lambda a, h: a.double() @ h[0], "tipos-mezclados", "tipos distintos"),
        (lambda a, h: (a > 0).softmax(-1), "tipos-mezclados", "tipo"),
        (lambda a, h: h if a > 0 else a, "condicion-con-tensor", ".any()"),
        (lambda a, h: [x for x, y in zip(a, h, strict=True) if (x, y, 1)[3]], "indice", "índice"),
        (lambda a, h: dict(a=1)["b"], "clave", "clave"),
        (lambda a, h: 1 / 0, "division-por-cero", "cero"),
        (lambda a, h: h + "x", "tipos", "tipo"),
        (lambda a, h: (lambda x: x)(a, h), "argumentos", "número de argumentos"),
        (lambda a, h: [x for x, y in (a, a)], "desempaquetado", "variables"),
        (lambda a, h: __import__("modulo_que_no_existe"), "import", "instalado"),
        (lambda a, h: sys.exit(), "exit", "`return`"),
        (lambda a, h: int("x"), "valor", "valor"),
    ],
)
def test_python_errors_are_explained(error, key, fragment):
    diagnosis, message = complaint("contexto", error)
    assert diagnosis.key == key, message
    assert fragment in diagnosis.likely, message
    assert diagnosis.location.startswith("línea ") and "`" in diagnosis.location
    assert message.rstrip().endswith("»") and "Mensaje original de Python: «" in message


def test_close_names_are_suggested():
    def context_vector(alpha, h):
        weights = alpha[:, :, None]
        return weigths * h + weights

    diagnosis, message = complaint("contexto", context_vector)
    assert "¿querías decir `weights`?" in diagnosis.likely
    assert "return weigths * h + weights`" in diagnosis.location


def test_the_line_is_the_students_not_the_library_s():
    def context_vector(alpha, h):
        loss = torch.nn.functional.cross_entropy(alpha, h)
        return loss

    diagnosis, _ = complaint("contexto", context_vector)
    assert "cross_entropy(alpha, h)`" in diagnosis.location
