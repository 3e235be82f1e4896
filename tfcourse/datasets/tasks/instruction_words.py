"""Las palabras con que se escriben las instrucciones, y cómo se reparten.

Cada palabra está en una sola parte: con las de entrenar no se evalúa, ni al revés. Casi todas salen
de los artículos de Wikipedia del curso; hacen falta miles, porque con unas pocas es más fácil
aprendérselas que aprender a copiar.
"""

import random
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from tfcourse.datasets.tasks.article_words import is_spanish, word_counts
from tfcourse.datasets.tasks.instruction_wordings import fixed_words
from tfcourse.datasets.tasks.plurals import attested_plurals, pluralize
from tfcourse.datasets.text.articles import Article, join_texts, split_articles

PARTS = ("entrenar", "preferir", "validar", "evaluar")
SHARES = (0.7, 0.1, 0.05)  # lo demás, para evaluar

NAMES = """
Ana Luis Marta Pedro Elena Juan Carmen Pablo Lucía Diego Sofía Carlos Julia Mario Laura Andrés Clara
Javier Irene Manuel Rosa Tomás Alicia Fernando Nuria Alberto Silvia Rafael Teresa Jorge Beatriz Hugo
Inés Víctor Raquel Ramón Olga Miguel Eva Ignacio Paula Antonio Noelia Felipe Gloria Enrique Pilar
Santiago Mónica Gabriel Blanca Daniel Aurora Simón Celia Martín Daniela Bruno Leonor Óscar Adela
Adrián Agustín Alba Alejandro Alfonso Alfredo Álvaro Amalia Amelia Amparo Ángel Ángela Araceli
Arturo Aurelio Bárbara Benito Berta Camila Candela Carla Carolina Cecilia César Claudia Concha
Cristina Cristóbal Damián David Dolores Eduardo Elisa Elvira Emilia Emilio Ernesto Esteban Esther
Eugenia Eugenio Fabián Federico Félix Fermín Francisco Gerardo Germán Gonzalo Guillermo Héctor
Helena Isabel Isidro Ismael Iván Jaime Jerónimo Jesús Joaquín José Josefa Julián Julio Leandro Lidia
Lorena Lorenzo Lourdes Lucas Luisa Magdalena Manuela Marcelo Marcos Margarita María Mariano Marina
Matilde Mercedes Nicolás Octavio Patricia Paulina Rebeca Ricardo Roberto Rocío Rodrigo Rosario
Rubén Salvador Samuel Sandra Sara Sebastián Sergio Sonia Susana Valentín Vicente Violeta Virginia
"""
PLACES = """
Madrid Toledo Sevilla Granada Valencia Burgos Cádiz Córdoba León Bilbao Málaga Murcia Segovia Soria
Lima Quito Bogotá Caracas Lisboa Roma París Londres Berlín Viena Atenas Praga Varsovia Moscú Tokio
Salamanca Zamora Huesca Teruel Cuenca Jaén Almería Oviedo Santander Lugo Vigo Ávila Zaragoza
Albacete Alicante Argentina Asunción Australia Austria Badajoz Barcelona Bélgica Bolivia Brasil
Bruselas
Budapest Bulgaria Cáceres Canadá Cartagena Chile China Colombia Corea Croacia Cuba Dinamarca Dublín
Ecuador Egipto Escocia Eslovenia Estambul Estonia Finlandia Florencia Francia Gijón Ginebra Grecia
Guatemala Honduras Hungría India Irlanda Islandia Italia Japón Kenia Letonia Logroño Managua Mérida
México Milán Montevideo Nápoles Nicaragua Noruega Oslo Palencia Pamplona Panamá Paraguay Perú
Polonia Portugal Rumanía Rusia Suecia Suiza Tarragona Turín Turquía Uruguay
Valladolid Venecia Venezuela Vitoria
"""
MAX_ADDEND = 20
MIN_COUNT = 2  # veces que sale una palabra en los artículos para que se use
GENDERED = re.compile(r"\b([Uu]na?|[Ee]l|[Ll]a|del|al) ([a-záéíóúñü]+)\b")


def gender_counts(text: str) -> dict[str, Counter]:
    """Cuántas veces sale cada palabra tras un artículo masculino y tras uno femenino."""
    found = {"el": Counter(), "la": Counter()}
    for article, word in GENDERED.findall(text):
        found["la" if article.lower() in ("una", "la") else "el"][word] += 1
    return found


def gendered_nouns(articles: Sequence[Article], min_count: int = 3) -> dict[str, str]:
    """De cada sustantivo de los artículos, «el» o «la»: el del 97 % de sus usos, o más.

    Su plural sale también en el texto. Una palabra con masculino y femenino en -o y -a no se usa:
    casi siempre es un adjetivo.
    """
    seen = gender_counts(join_texts(list(articles)))
    words = {word for word in seen["el"] | seen["la"] if is_spanish(word)}
    nouns = {}
    for word, _ in attested_plurals(word_counts(articles), words):
        some = {article: counts[word] for article, counts in seen.items()}
        twin = word[:-1] + {"o": "a", "a": "o"}.get(word[-1], "")
        if sum(some.values()) < min_count or (word[-1] in "oa" and twin in words):
            continue
        if min(some.values()) <= 0.03 * sum(some.values()):
            nouns[word] = max(some, key=some.__getitem__)
    return nouns


@cache
def gendered() -> dict[str, str]:
    """De cada sustantivo de las instrucciones, su artículo: «el» o «la»."""
    nouns = gendered_nouns(split_articles()[0])
    return {noun: article for noun, article in nouns.items() if noun not in fixed_words()}


@cache
def plain_words() -> tuple[str, ...]:
    """Palabras de los artículos de 4 a 10 letras, sin los sustantivos ni sus plurales."""
    nouns = set(gendered()) | {pluralize(noun) for noun in gendered()}
    counts = word_counts(split_articles()[0])
    often = {word for word, count in counts.items() if count >= MIN_COUNT} - nouns - fixed_words()
    return tuple(sorted(word for word in often if 4 <= len(word) <= 10 and is_spanish(word)))


def share_out(items: Sequence, seed: int = 0) -> dict[str, list]:
    """Reparte unas cosas entre las partes, sin que ninguna quede en dos."""
    shuffled = random.Random(seed).sample(sorted(set(items)), len(set(items)))
    ends = [round(sum(SHARES[:place]) * len(shuffled)) for place in range(len(PARTS))]
    limits = zip(PARTS, ends, [*ends[1:], len(shuffled)], strict=True)
    return {part: shuffled[start:end] for part, start, end in limits}


@cache
def shared_words() -> dict[str, dict[str, list]]:
    """Las palabras de cada parte: sueltas, sustantivos, nombres, lugares y parejas de números.

    Las parejas van en orden, y con ellas se hacen una suma y una resta.
    """
    pairs = [(a, b) for a in range(1, MAX_ADDEND + 1) for b in range(1, a + 1)]
    every = {
        "words": share_out(plain_words()),
        "nouns": share_out(list(gendered())),
        "names": share_out(NAMES.split()),
        "places": share_out(PLACES.split()),
        "pairs": share_out(pairs),
    }
    return {part: {name: shares[part] for name, shares in every.items()} for part in PARTS}
