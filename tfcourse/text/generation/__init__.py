"""¿Cómo sale un texto entero de un modelo que solo predice el símbolo siguiente?"""
