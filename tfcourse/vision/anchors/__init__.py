"""¿Por qué DETR aprende despacio, y qué aporta cada remedio?"""
