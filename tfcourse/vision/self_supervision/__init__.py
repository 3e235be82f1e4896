"""¿Cómo se aprende a ver sin que nadie diga qué hay en cada imagen?"""
