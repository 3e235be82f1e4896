"""¿Qué receta entrena un Transformer de muchas capas?"""
