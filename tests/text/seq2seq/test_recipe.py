"""El traductor de fechas que viene con el curso: su ficha es la de la receta y no falla ninguna."""

from dataclasses import asdict
from statistics import mean

import pytest

from tfcourse.datasets.text.dates import DATE_FORMATS, date_pairs
from tfcourse.models.seq2seq import VARIANTS
from tfcourse.text.seq2seq.recipe import (
    DIGITS,
    N_TEST,
    WEIGHTS,
    WORKSHOP,
    DateTranslator,
    Recipe,
    known_and_new_dates,
    letters_of,
    load,
    score_written,
    train,
)
from tfcourse.training import History
from tfcourse.weights.shipped import weights_card


def test_the_card_is_that_of_the_recipe():
    card, making, translator = weights_card("fechas"), WEIGHTS["fechas"], load("fechas")
    assert translator.recipe == WORKSHOP and WORKSHOP.sizes == VARIANTS["aula"]
    assert making.config(translator.model) == card.config
    assert making.recipe(translator) == card.recipe == asdict(WORKSHOP)
    assert (making.data, making.seed) == (card.data, card.seed)
    blind = {name: round(value, 4) for name, value in making.blind().items()}
    assert making.score(translator.model) | blind == card.quality
    assert card.quality["fechas"] == 1.0 > card.quality["fechas_sin_leer"]


def test_it_reads_every_way_of_writing_a_date():
    """Con días que no son ni los de entrenar ni los de evaluar de su ficha."""
    known, new = known_and_new_dates(WORKSHOP.n_days)
    seen = {pair.iso for pair in (*known, *new)}
    others = [pair for pair in date_pairs(400, 1, seed=7)[0] if pair.iso not in seen]
    translator = load("fechas")
    assert len(others) > 200 and not translator.model.training
    written = translator.write([pair.text for pair in others])
    assert score_written(written, [pair.iso for pair in others])["fechas"] >= 0.99
    assert len(DATE_FORMATS) == 10
    with pytest.raises(ValueError, match="aquí no hay pesos «otras»"):
        load("otras")


def test_a_date_is_right_whole_and_its_symbols_one_by_one():
    isos = ["1987-03-05", "2001-12-31"]
    assert score_written(isos, isos) == {"fechas": 1.0, "símbolos": 1.0}
    found = score_written(["1987-03-06", "2001"], isos)
    assert found == {"fechas": 0.0, "símbolos": 13 / 20}


def test_who_does_not_read_says_the_commonest_of_each_place():
    """Acierta más símbolos que, en media, quien dice siempre una fecha cualquiera."""
    known, new = known_and_new_dates(WORKSHOP.n_days)
    isos = [pair.iso for pair in new]
    blind = WEIGHTS["fechas"].blind()
    others = [score_written([pair.iso] * N_TEST, isos)["símbolos"] for pair in known[:40]]
    assert blind["símbolos_sin_leer"] > mean(others) + 0.02 and blind["fechas_sin_leer"] == 0.0


def test_a_training_follows_the_recipe():
    tiny = Recipe(steps=2, n_days=40, d_embedding=4, d_hidden=6)
    done = train(tiny, 0)
    assert isinstance(done, DateTranslator) and isinstance(done.history, History)
    assert len(done.history.loss) == 2 and done.model.encoder.rnn.hidden_size == 6
    assert len(done.letters) <= len(letters_of(WORKSHOP))
    assert done.model.decoder.output.out_features == len(DIGITS)
    (written,) = done.write([date_pairs(40, 1, seed=0)[0][0].text])
    assert set(written) <= {*"0123456789-"}
