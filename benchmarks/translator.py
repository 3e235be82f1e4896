"""El traductor que viene con el curso, voraz y en haz, junto a cuatro que no son una red entrenada.

`python -m benchmarks traductor --escribir` los mide con las mismas mil parejas apartadas; pide los
paquetes de `tfcourse.datasets.text.interface`. El intervalo es de remuestrear las parejas y la
comparación de cada uno con el traductor voraz, también (Koehn, 2004); no dice nada de entrenar con
otra semilla, porque se entrena una vez.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest
from sklearn.feature_extraction.text import TfidfVectorizer

from tfcourse.datasets.text.interface import NEAR, Pair, common_share, word_bag
from tfcourse.metrics import exact_match
from tfcourse.text.transformer.recipe import (
    N_TEST,
    WORKSHOP,
    Translator,
    build,
    load,
    shipped_pairs,
)
from tfcourse.training import History, seed_everything
from tfcourse.weights.shipped import weights_card

NAME = "traductor"
GREEDY, BEAM = "Transformer", "Transformer, haz de 4"
BEAM_SIZE = 4
MEMORY, LEXICON, COPY, UNTRAINED = (
    "la entrada más parecida",
    "palabra por palabra",
    "copiar el inglés",
    "Transformer sin entrenar",
)
ROUNDS, RESAMPLES = 5, 1_000
# Las que traduce la página, y de las que se mide si se parecen a lo aprendido.
SENTENCES = (
    "Delete the selected files",
    "Are you sure you want to delete this user?",
    "Select the language of your account",
    "The password is not correct.",
    "The user has been removed from the group.",
    "Add a new column to the table",
    "Show only the last three messages",
    "Turn on the light in the kitchen",
    "The green file is bigger than the red file",
    "How are you today?",
    "I like trees.",
    "My sister is reading a book in the garden.",
)
TOKENS = re.compile(r"\w+|[^\w\s]")


def settings() -> dict:
    """Todo lo que define la tabla."""
    card = weights_card(NAME)
    return {
        "weights": card.sha256,
        "data": card.recipe["data_sha256"],
        "n_train": card.recipe["pairs"],
        "n_test": N_TEST,
        "near": NEAR,
        "sentences": list(SENTENCES),
        "rounds": ROUNDS,
        "beam_size": BEAM_SIZE,
        "resamples": RESAMPLES,
    }


def learn_lexicon(pairs: Sequence[Pair], rounds: int = ROUNDS) -> dict[str, str]:
    """La traducción más probable de cada palabra, con el modelo 1 de IBM (Brown et al., 1993).

    En cada vuelta, cada palabra española se reparte entre las inglesas de su frase, y una vacía,
    según lo que se cree de ellas; con lo repartido se vuelve a estimar qué escribe cada una.
    """
    bags = [(["", *TOKENS.findall(a.lower())], TOKENS.findall(b.lower())) for a, b in pairs]
    belief: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(lambda: 1.0))
    for _ in range(rounds):
        counts: dict[str, Counter] = defaultdict(Counter)
        for english, spanish in bags:
            for word in spanish:
                shares = [belief[source][word] for source in english]
                whole = sum(shares)
                for source, share in zip(english, shares, strict=True):
                    counts[source][word] += share / whole
        belief = {
            source: {word: count / found.total() for word, count in found.items()}
            for source, found in counts.items()
        }
    return {source: max(found, key=found.__getitem__) for source, found in belief.items()}


def word_for_word(lexicon: dict[str, str], english: str) -> str:
    """Cada palabra, por la del léxico; las que no están o no cambian, como vienen."""
    words = []
    for word in TOKENS.findall(english):
        translation = lexicon.get(word.lower(), word)
        words.append(word if translation == word.lower() else translation)
    text = re.sub(r" (?=[.,;:!?)])|(?<=[(¿¡]) ", "", " ".join(words))
    return text[:1].upper() + text[1:] if english[:1].isupper() else text


def most_similar(known: Sequence[Pair], sentences: Sequence[str]) -> list[str]:
    """La traducción de la entrada conocida más parecida: grupos de 2 a 4 letras, con TF-IDF."""
    groups = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4), sublinear_tf=True)
    table = groups.fit_transform([english for english, _ in known])
    nearest = (groups.transform(sentences) @ table.T).tocsr()
    return [known[nearest[row].argmax()][1] for row in range(len(sentences))]


def untrained(trained: Translator) -> Translator:
    """El mismo modelo, como nace."""
    seed_everything(0)
    model = build(WORKSHOP, len(trained.pieces)).eval()
    return Translator(model, WORKSHOP, History(), trained.pieces)


def translations() -> dict[str, list[str]]:
    """Lo que escribe cada uno, empezando por el que se compara con los demás."""
    known, test = shipped_pairs()
    sentences = [english for english, _ in test]
    trained, lexicon = load(NAME), learn_lexicon(known)
    return {
        GREEDY: trained.write(sentences),
        BEAM: [trained.write_with_beam(text, BEAM_SIZE) for text in sentences],
        MEMORY: most_similar(known, sentences),
        LEXICON: [word_for_word(lexicon, text) for text in sentences],
        COPY: sentences,
        UNTRAINED: untrained(trained).write(sentences),
    }


def compare(written: dict[str, list[str]], references: list[str]) -> Iterator[dict]:
    """Una fila por traductor: BLEU y chrF con su intervalo del 95 %, y las frases exactas.

    `p` es la probabilidad de una diferencia así con el primero si fueran iguales.
    """
    metrics = {"BLEU": BLEU(), "chrF": CHRF()}
    tested = PairedTest(
        list(written.items()), metrics, [references], test_type="bs", n_samples=RESAMPLES
    )
    found = tested()[1]
    for place, (name, texts) in enumerate(written.items()):
        row: dict = {"translator": name}
        for metric, results in zip(metrics, list(found.values())[1:], strict=True):
            result = results[place]
            row[metric] = float(result.score)
            row[f"{metric}_low"] = float(result.mean - result.ci)
            row[f"{metric}_high"] = float(result.mean + result.ci)
            row[f"{metric}_p"] = None if result.p_value is None else float(result.p_value)
        yield row | {"exact": exact_match(texts, references)}


def familiarity(known: Sequence[Pair], sentences: Sequence[str]) -> Iterator[dict]:
    """Una fila por frase: lo que comparte con la entrada conocida más cercana, y lo que no sale.

    `nearest` es el índice de Dice de sus palabras, de 0 a 1; `unseen`, las que no están en ninguna.
    """
    bags = [word_bag(english) for english, _ in known]
    seen = set().union(*bags)
    for sentence in sentences:
        bag = word_bag(sentence)
        nearest = max(common_share(bag, other) for other in bags)
        yield {
            "sentence": sentence,
            "nearest": nearest,
            "unseen": [word for word in bag if word not in seen],
        }


def measure(_seeds: Sequence[int]) -> Iterator[dict]:
    """Una fila por traductor y otra por frase de la página; no hay nada que sembrar."""
    known, test = shipped_pairs()
    yield from compare(translations(), [spanish for _, spanish in test])
    yield from familiarity(known, SENTENCES)
