"""Lectores de los ejercicios de comprender de «El bloque de hoy»."""

from tests.exercises.statement_readers import bullets, enumerated, integers, named_integers, only


def expert_parameters(statement):
    d_model, experts = map(
        int, only(r"lee vectores de \*\*(\d+)\*\* y tiene (\d+) expertos", statement)
    )
    d_hidden, chosen = map(
        int, only(r"de anchura (\d+), de los que cada token usa (\d+)", statement)
    )
    shared = int(only(r"y (\d+) compartidos, de la misma anchura", statement))
    assert bullets(statement) == ["experto", "capa", "activos", "densa"]
    example, listed = only(r"Por ejemplo, con (.+), serían (.+)\.$", statement)
    assert _layer(*integers(example)) == integers(listed)
    return named_integers(statement, _layer(d_model, d_hidden, experts, chosen, shared))


def _layer(d_model, d_hidden, experts, chosen, shared):
    """Matriz a matriz."""
    one = sum(rows * columns for rows, columns in
              ((d_hidden, d_model), (d_hidden, d_model), (d_model, d_hidden)))  # fmt: skip
    router = sum(d_model for _ in range(experts))
    whole = sum(one for _ in range(experts + shared)) + router
    active = sum(one for _ in range(chosen + shared)) + router
    return [one, whole, active, sum(d_hidden for _ in range(chosen + shared))]


def after_a_thousand_drafts(statement):
    p = _shares(only(r"El grande les da las probabilidades \$p = \((.+?)\)\$", statement))
    q = _shares(only(r"y el pequeño, \$q = \((.+?)\)\$\. El pequeño", statement))
    assert bullets(statement) == ["aceptados", "rechazados_b", "repuestos_a", "b_al_final"]
    example_p, example_q, listed = only(
        r"Por ejemplo, con \$p = \((.+?)\)\$ y \$q = \((.+?)\)\$ serían (.+)\.$", statement
    )
    assert _thousand(_shares(example_p), _shares(example_q)) == integers(listed)
    return named_integers(statement, _thousand(p, q))


def _shares(text):
    return enumerated(text.replace(r";\ ", "; "))


def _thousand(p, q):
    """Propuesta a propuesta, en grupos de mil."""
    kept = [round(1000 * q_x * min(1, p_x / q_x)) for p_x, q_x in zip(p, q, strict=True)]
    missing = [max(0.0, p_x - q_x) for p_x, q_x in zip(p, q, strict=True)]
    lost = 1000 - sum(kept)
    put = [round(lost * m / sum(missing)) for m in missing]
    return [sum(kept), round(1000 * q[1]) - kept[1], put[0], kept[1] + put[1]]


READERS = {"activos-y-parados": expert_parameters, "aceptar-y-reponer": after_a_thousand_drafts}
