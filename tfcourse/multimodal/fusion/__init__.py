"""¿En qué punto conviene juntar lo que se ve con lo que se oye?"""
