"""¿Qué opina quien ha escrito esto, y quién lo sabe por menos?"""
