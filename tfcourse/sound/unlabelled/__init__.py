"""¿Cómo se tapan palabras en una señal que no las tiene?"""
