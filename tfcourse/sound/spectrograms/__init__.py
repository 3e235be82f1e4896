"""¿Qué parte de un sonido tiene que ver una red para entenderlo?"""
