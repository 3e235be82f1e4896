"""Núcleos de atención que no comparan todas las parejas; los reúne `tfcourse.layers.efficient`."""
