"""¿Cuánto se aprende de una lengua tapando palabras y adivinándolas?"""
