"""Vecinas y analogías, con una tabla hecha a mano."""

import numpy as np
import pytest

from tfcourse.text.words.neighbours import WordVectors


def test_analogies_and_neighbours_of_a_table_made_by_hand():
    words = ["rey", "reina", "hombre", "mujer", "mesa"]
    vectors = WordVectors(words, [[1, 1, 0], [1, -1, 0], [0.1, 1, 0], [0.1, -1, 0], [0, 0, 1]])
    assert vectors.analogy("hombre", "mujer", "rey") == ["reina"]
    assert vectors.nearest("rey", 1) == ["hombre"]
    questions = [("hombre", "mujer", "rey", "reina"), ("rey", "reina", "hombre", "mesa")]
    assert vectors.analogy_accuracy(questions) == 0.5
    assert vectors.neighbour_accuracy([("hombre", "mujer", "rey", "reina")]) == 1.0
    assert vectors.neighbour_accuracy([("mesa", "reina", "rey", "mujer")]) == 0.0
    assert vectors.category_precision(["rey", "hombre"], k=5) == 1.0
    np.testing.assert_allclose(np.linalg.norm(vectors.matrix, axis=1), 1.0)
    with pytest.raises(ValueError, match="la palabra 'gato' no tiene vector"):
        vectors.nearest("gato")
    with pytest.raises(ValueError, match=r"hay 2 palabras y los vectores tienen forma \(3, 1\)"):
        WordVectors(["a", "b"], np.ones((3, 1)))
