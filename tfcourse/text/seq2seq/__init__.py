"""¿Qué se gana si, en lugar de resumirlo todo en un vector, la red vuelve a mirar la entrada?"""
