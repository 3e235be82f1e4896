"""Fusión de pares: las palabras partidas en símbolos y la cuenta, al día, de sus pares vecinos."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import pairwise

Pair = tuple[int, int]


def merge_pair(symbols: list[int], pair: Pair, merged: int) -> list[int]:
    """Cambia cada aparición de un par por el símbolo nuevo, de izquierda a derecha."""
    first, second = pair
    result, position, last = [], 0, len(symbols) - 1
    while position <= last:
        found = position < last and symbols[position] == first
        if found and symbols[position + 1] == second:
            result.append(merged)
            position += 2
        else:
            result.append(symbols[position])
            position += 1
    return result


class PairIndex:
    """Índice de pares: cuántas veces aparece cada símbolo y cada par, y en qué palabras.

    Al fusionar un par solo se tocan las palabras que lo contienen: por eso se puede aprender de un
    millón de letras en segundos. Las palabras son distintas y llevan su cuenta.
    """

    def __init__(self, words: Iterable[tuple[list[int], int]]):
        self.words, self.counts = [], []
        self.symbols: Counter[int] = Counter()
        self.pairs: Counter[Pair] = Counter()
        self.where: defaultdict[Pair, set[int]] = defaultdict(set)
        for position, (symbols, count) in enumerate(words):
            self.words.append(symbols)
            self.counts.append(count)
            for symbol in symbols:
                self.symbols[symbol] += count
            for pair in pairwise(symbols):
                self.pairs[pair] += count
                self.where[pair].add(position)

    def merge(self, pair: Pair, merged: int) -> dict[Pair, int]:
        """Fusiona el par en todas partes; devuelve en cuánto cambia la cuenta de los demás."""
        changes: defaultdict[Pair, int] = defaultdict(int)
        for position in self.where.pop(pair):
            before, count = self.words[position], self.counts[position]
            after = self.words[position] = merge_pair(before, pair, merged)
            fused = (len(before) - len(after)) * count
            for symbol, change in ((merged, fused), (pair[0], -fused), (pair[1], -fused)):
                self.symbols[symbol] += change
            for old in pairwise(before):
                changes[old] -= count
            for new in pairwise(after):
                changes[new] += count
                self.where[new].add(position)
        for changed, difference in changes.items():
            self.pairs[changed] += difference
            if not self.pairs[changed]:
                del self.pairs[changed]
        return changes
