"""¿Qué aprende una red pequeña de lo que contesta otra que ya sabe?"""
