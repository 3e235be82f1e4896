"""¿Cómo se encuentra un texto que dice lo mismo con otras palabras?"""
