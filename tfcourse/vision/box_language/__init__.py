"""¿Y si las cajas de los objetos se escribieran como palabras?"""
