"""Las parejas de dibujo y nombre, escritas con el tokenizador del BERT del curso."""

from tfcourse.datasets.pictures.named_pictures import NamedPictures, encode_pictures
from tfcourse.datasets.pictures.openmoji import split_pictures
from tfcourse.text.bert.recipe import load as load_bert

N_TEST = 400


def split_named(seed: int = 0, n_test: int = N_TEST) -> tuple[NamedPictures, NamedPictures]:
    """Parejas para entrenar y para evaluar, sin familias en común, con el tokenizador de BERT."""
    _, tokenizer = load_bert("bert_espanol")
    train, test = split_pictures(n_test, seed)
    return encode_pictures(train, tokenizer), encode_pictures(test, tokenizer)
