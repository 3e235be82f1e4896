"""Las palabras con que se escriben las instrucciones, y cómo se reparten.

Cada palabra está en una sola parte: con las de entrenar no se evalúa, ni al revés.
"""

import random
from collections.abc import Sequence

PARTS = ("entrenar", "validar", "evaluar")
SHARES = (0.7, 0.1)  # lo demás, para evaluar

MASCULINE = """
árbol barco zapato lápiz pez reloj papel jardín camión tren avión caballo perro gato libro cuaderno
martillo clavo vaso plato tenedor cuchillo jarrón cajón sillón rincón balcón ratón león tigre oso
lobo zorro conejo pato gallo toro burro camello elefante delfín cangrejo pulpo caracol gusano mosquito
queso jamón pan huevo tomate limón melón plátano pepino ajo arroz pastel dulce helado café
coche autobús puente camino sendero bosque río lago mar valle desierto volcán monte cielo sol
pintor escritor doctor profesor actor cantor rey juez capitán soldado pastor vecino abuelo hermano
dedo brazo hombro codo pie ojo cuello hueso corazón pulmón cuerpo traje botón abrigo sombrero guante
calcetín cinturón bolsillo anillo collar color dolor calor olor sabor motor tambor violín piano
hotel hospital mercado museo teatro templo castillo palacio taller almacén salón pasillo techo muro
tornillo ladrillo martes mes año siglo minuto momento número examen problema mapa tema idioma sistema
farol espejo cuadro marco cojín colchón mantel cubo saco barril
"""
FEMININE = """
mesa silla puerta ventana casa cocina cama lámpara alfombra cortina pared escalera llave caja bolsa
luz voz cruz nuez raíz nariz flor mujer pared ciudad verdad edad amistad libertad red sed
canción estación lección oración prisión región nación pasión visión misión invención
gallina vaca oveja cabra abeja hormiga mariposa araña rana serpiente tortuga ballena paloma cigüeña
manzana pera uva naranja cereza fresa sandía patata cebolla zanahoria lechuga aceituna sopa leche sal
calle plaza playa isla montaña colina cueva selva nube lluvia nieve tormenta luna estrella tierra
mano pierna rodilla oreja boca lengua espalda cabeza cara piel sangre uña muela ceja
camisa falda chaqueta bufanda gorra bota sandalia corbata blusa manga moneda joya corona perla
reina jueza doctora pintora escritora actriz abuela hermana vecina niña tía sobrina maestra
guitarra flauta trompeta campana radio foto moto bicicleta rueda barca vela cuerda red
escuela iglesia torre fuente granja fábrica tienda biblioteca cárcel catedral muralla
noche tarde semana hora fecha década carta página palabra letra frase pregunta respuesta historia
"""
NAMES = """
Ana Luis Marta Pedro Elena Juan Carmen Pablo Lucía Diego Sofía Carlos Julia Mario Laura Andrés Clara
Javier Irene Manuel Rosa Tomás Alicia Fernando Nuria Alberto Silvia Rafael Teresa Jorge Beatriz Hugo
Inés Víctor Raquel Ramón Olga Miguel Eva Ignacio Paula Antonio Noelia Felipe Gloria Enrique Pilar
Santiago Mónica Gabriel Blanca Daniel Aurora Simón Celia Martín Daniela Bruno Leonor Óscar
"""
PLACES = """
Madrid Toledo Sevilla Granada Valencia Burgos Cádiz Córdoba León Bilbao Málaga Murcia Segovia Soria
Lima Quito Bogotá Caracas Lisboa Roma París Londres Berlín Viena Atenas Praga Varsovia Moscú Tokio
Salamanca Zamora Huesca Teruel Cuenca Jaén Almería Oviedo Santander Lugo Vigo Ávila Zaragoza
"""
TIMES = ("ayer", "hoy", "el lunes", "el martes", "el viernes", "el domingo", "en verano",
         "en enero", "en mayo", "por la tarde")  # fmt: skip
MAX_ADDEND = 20


def gendered() -> dict[str, str]:
    """De cada sustantivo, su artículo: «el» o «la»."""
    masculine, feminine = MASCULINE.split(), FEMININE.split()
    return dict.fromkeys(masculine, "el") | dict.fromkeys(feminine, "la")


def share_out(items: Sequence, seed: int = 0) -> dict[str, list]:
    """Reparte unas cosas entre las tres partes, sin que ninguna quede en dos."""
    shuffled = random.Random(seed).sample(sorted(set(items)), len(set(items)))
    first = round(SHARES[0] * len(shuffled))
    second = first + round(SHARES[1] * len(shuffled))
    return dict(
        zip(PARTS, (shuffled[:first], shuffled[first:second], shuffled[second:]), strict=True)
    )


def shared_words() -> dict[str, dict[str, list]]:
    """Las palabras de cada parte: sustantivos, nombres, lugares y parejas de números.

    Las parejas van en orden, y con ellas se hacen una suma y una resta.
    """
    pairs = [(a, b) for a in range(1, MAX_ADDEND + 1) for b in range(1, a + 1)]
    every = {
        "nouns": share_out(list(gendered())),
        "names": share_out(NAMES.split()),
        "places": share_out(PLACES.split()),
        "pairs": share_out(pairs),
    }
    return {part: {name: shares[part] for name, shares in every.items()} for part in PARTS}
