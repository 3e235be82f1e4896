"""Los ejemplos de los enunciados de tokenización, que no son tensores."""

from tests.exercises.test_statements import STATEMENTS, solution


def test_merge():
    merge = solution("fusionar")
    assert merge(["c", "a", "s", "a", "s"], "a", "s") == ["c", "as", "as"]
    assert merge(["a", "a", "a"], "a", "a") == ["aa", "a"]
    assert '`["aa", "a"]`' in STATEMENTS["fusionar"][1]


def test_bpe_cut():
    assert solution("cortar-bpe")("casas", [["a", "s"], ["c", "as"]]) == ["cas", "as"]
    assert '`["cas", "as"]`' in STATEMENTS["cortar-bpe"][1]


def test_longest_pieces():
    longest, vocabulary = solution("trozo-mas-largo"), ["cas", "##a", "##as"]
    assert longest("casas", vocabulary) == ["cas", "##as"]
    assert longest("caso", vocabulary) == ["<desconocido>"]


def test_best_score():
    best = solution("mejor-corte")
    assert best("as", {"a": -1.0, "s": -1.0, "as": -1.5}) == -1.5
    assert best("as", {"a": -1.0, "s": -1.0, "as": -3.0}) == -2.0


def test_fertility():
    assert solution("fertilidad")(["hola", "sí"], lambda t: t[::2]) == 1.5
