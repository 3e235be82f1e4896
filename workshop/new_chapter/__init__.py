"""El esqueleto de un capítulo: todos sus archivos de una vez, con lo que falta dicho en español."""

from workshop.new_chapter.chapter import NewChapter
from workshop.new_chapter.skeleton import add_chapter

__all__ = ["NewChapter", "add_chapter"]
