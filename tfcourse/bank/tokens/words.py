"""Palabras y trozos al azar, para los casos de prueba de los cortes."""

from random import Random


def any_word(random: Random, n_letters: int, length: int) -> str:
    """Una palabra inventada de pocas letras distintas, para que sus trozos se repitan."""
    return "".join(random.choices(random.sample("aceilnorst", n_letters), k=length))


def some_pieces(word: str, n_pieces: int, random: Random) -> set[str]:
    """Trozos de dos o tres letras de la palabra, sin repetir: a lo sumo `n_pieces`."""
    starts = [random.randrange(len(word) - 2) for _ in range(n_pieces)]
    return {word[start : start + random.randint(2, 3)] for start in starts}
