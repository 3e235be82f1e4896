"""Medir traducciones: BLEU y chrF, con sacrebleu, y según lo larga que sea la oración."""

from collections.abc import Sequence

from tfcourse.datasets.folders.tatoeba import ReservedSentence

# Palabras de la oración de origen: hasta la primera, hasta la segunda, y las demás.
SHORT, MEDIUM = 5, 9


def translation_scores(
    written: Sequence[str], references: Sequence[Sequence[str]]
) -> dict[str, float]:
    """BLEU y chrF de unas traducciones; cada una puede tener varias referencias.

    Fuente: Papineni et al. (2002), Popović (2015) y Post (2018). Errores: `ValueError` si no hay
    tantas traducciones como oraciones, si no hay ninguna o si a alguna le falta su referencia.
    """
    import sacrebleu

    if len(written) != len(references) or not len(written) or not all(references):
        raise ValueError(
            f"hay {len(written)} traducciones y {len(references)} oraciones con referencias: hace "
            "falta una traducción por oración, y al menos una referencia de cada una"
        )
    most = max(map(len, references))
    # sacrebleu las quiere por columnas; donde no hay más referencias, nada.
    columns = [[row[i] if i < len(row) else None for row in references] for i in range(most)]
    return {
        "BLEU": sacrebleu.corpus_bleu(list(written), columns, force=True).score,
        "chrF": sacrebleu.corpus_chrf(list(written), columns).score,
    }


def scores_by_length(
    written: Sequence[str], sentences: Sequence[ReservedSentence]
) -> dict[str, float | str]:
    """BLEU y chrF de todas, y BLEU de las cortas, las medianas y las largas.

    Lo largo se cuenta en palabras de la oración de origen; sin oraciones de un tamaño, queda en
    blanco. Errores: los de `translation_scores`.
    """
    scores = translation_scores(written, [sentence.references for sentence in sentences])
    sizes = [len(sentence.source.split()) for sentence in sentences]
    groups = {
        f"BLEU, hasta {SHORT}": range(SHORT + 1),
        f"de {SHORT + 1} a {MEDIUM}": range(SHORT + 1, MEDIUM + 1),
        f"de {MEDIUM + 1} o más": range(MEDIUM + 1, max(sizes) + 1),
    }
    for name, lengths in groups.items():
        rows = [row for row, size in enumerate(sizes) if size in lengths]
        scores[name] = (
            translation_scores(
                [written[row] for row in rows], [sentences[row].references for row in rows]
            )["BLEU"]
            if rows
            else ""
        )
    return scores
