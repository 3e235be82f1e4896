"""¿Cómo se comparan un dibujo y una frase?"""
