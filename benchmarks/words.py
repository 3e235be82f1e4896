"""Qué saben unos vectores de palabras: categorías, analogías y de qué tema trata un artículo."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tfcourse.datasets.text.analogies import ANALOGIES, CATEGORIES, analogy_questions
from tfcourse.datasets.text.articles import split_articles
from tfcourse.text.words.neighbours import WordVectors
from tfcourse.text.words.recipe import RECIPES, Recipe, table_of, train
from tfcourse.text.words.topics import as_bags, random_table, topic_accuracy

NAME = "vectores_de_palabras"
LABELS = (50, 200, 1_000, 5_603)  # artículos con etiqueta; los últimos son todos
CHANCE = "al azar"


def settings() -> dict:
    """La receta del estudio."""
    return {"recipes": {name: asdict(recipe) for name, recipe in RECIPES.items()}, "labels": LABELS}


def measure(seeds: Sequence[int]) -> Iterator[dict]:
    """Con cada semilla se vuelve a entrenar y a sortear todo."""
    bags = [as_bags(articles) for articles in split_articles()]
    for seed in seeds:
        tables = {name: table_of(train(recipe, seed).model) for name, recipe in RECIPES.items()}
        tables[CHANCE] = random_table(Recipe().width, seed)
        for name, table in tables.items():
            yield from exam(name, table, seed)
        for name in (CHANCE, "word2vec"):
            for learn in (False, True):
                for n_labels in LABELS:
                    accuracy = topic_accuracy(tables[name], learn, n_labels, *bags, seed=seed)
                    yield {
                        "seed": seed, "what": "temas", "table": name, "learn": learn,
                        "labels": n_labels, "value": accuracy,
                    }  # fmt: skip


def exam(name: str, table: WordVectors, seed: int) -> Iterator[dict]:
    """Vecinas de la misma categoría, y analogías junto a contestar con la vecina."""
    for category, words in CATEGORIES.items():
        yield {
            "seed": seed, "what": "categoría", "table": name, "case": category,
            "value": table.category_precision(words),
        }  # fmt: skip
    for relation in ANALOGIES:
        questions = analogy_questions(relation)
        yield {
            "seed": seed, "what": "analogía", "table": name, "case": relation,
            "value": table.analogy_accuracy(questions),
            "neighbour": table.neighbour_accuracy(questions),
        }  # fmt: skip
