"""El acierto por trozos del examen cuenta solo las reseñas de cada trozo."""

from tfcourse.datasets.reviews import review_split
from tfcourse.text.sentiment.metrics import hits_by_slice
from tfcourse.text.sentiment.texts import texts_and_labels


def test_slices_count_only_their_reviews():
    _, test = review_split(64, 40)
    _, labels = texts_and_labels(test, True)
    found = hits_by_slice(test, labels)
    assert found["accuracy"] == 1.0
    wrong = labels.clone()
    for row, review in enumerate(test):
        if review.phenomenon == "contraste":
            wrong[row] = 1
    found = hits_by_slice(test, wrong)
    assert found["contraste"] == 0.0 and found["directa"] == 1.0
