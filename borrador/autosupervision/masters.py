"""Escribe chapters/4_vision/maestros/autosupervision_ejercicios.ipynb."""
import json,sys
sys.path.insert(0,'.')
base=json.load(open('borrador.ipynb'))
prep,como,imports=base['cells'][1:4]
def md(id,text,meta=None): return {"cell_type":"markdown","id":id,"metadata":meta or {},"source":text.splitlines(keepends=True)}
def code(id,text,meta): return {"cell_type":"code","execution_count":None,"id":id,"metadata":meta,"outputs":[],"source":text.splitlines(keepends=True)}
cells=[md("titulo","""# Ejercicios: Ver sin etiquetas

Aquí pones a prueba lo que has leído en [el capítulo](autosupervision.ipynb). Al terminar sabrás:

- predecir qué lee cada parte de un MAE, y escribir su pérdida;
- deducir qué entropías tiene un maestro que dice algo y uno que no dice nada;
- escribir un paso del maestro, y encontrar los fallos de un alumno que aprende mal;
- medir unos rasgos con unas pocas etiquetas, y averiguar de qué depende que sean buenos.

**Tiempo**: 107 minutos en total, de los que el ejercicio abierto se lleva 45. **Valen** 19 puntos: 11 los da el propio cuaderno y 8 se ponen con una rúbrica."""),prep,como,imports]
def ex(id,title,card,statement,answer,points,text=None,manual=0):
    cells.append(md(f"{id}-enunciado",f"## {title}\n\n:::{{exercise}}\n:label: ej-{id}\n\n{card}\n\n{statement}\n:::"))
    cells.append(code(f"{id}-respuesta",answer,{"nbgrader":{"grade":False,"grade_id":f"{id}-respuesta","locked":False,"schema_version":3,"solution":True,"task":False}}))
    cells.append(code(f"{id}-prueba",f'comprobar("{id}")',{"nbgrader":{"grade":True,"grade_id":f"{id}-prueba","locked":True,"points":points,"schema_version":3,"solution":False,"task":False}}))
    if text: cells.append(md(f"{id}-texto",text,{"nbgrader":{"grade":True,"grade_id":f"{id}-texto","locked":False,"points":manual,"schema_version":3,"solution":True,"task":False}}))
ex("lo-que-no-se-lee","Lo que no se lee","**★☆☆** · 8 minutos · 1 punto · para comprender. *Practicas*: predecir qué lee cada parte de un MAE y cuánto se ahorra.",
"""Un MAE se entrena con imágenes de 224 × 224 píxeles y tres canales, en parches de 16 × 16, y se tapan 15 de cada 20 parches. El codificador lleva además un token de clase, que no se tapa nunca y también llega al decodificador. Antes de contar, predice cuántas parejas se ahorran en una imagen. Contesta con un diccionario de cinco enteros:

- `lee`: cuántos tokens lee el codificador;
- `pinta`: cuántos tokens entran en el decodificador;
- `parejas`: cuántas parejas de tokens se miran en una capa del codificador, contando a cada uno consigo;
- `parejas_sin_tapar`: cuántas serían si leyera la imagen entera;
- `números`: cuántos números pintados cuentan en la pérdida.

Por ejemplo, con una imagen de 8 × 8, parches de 2 × 2 y 15 de cada 20 tapados, serían 5, 17, 25, 289 y 144.

**Precisión**: el valor exacto.

Está en el apartado «Leer lo que se ve, pintar lo que no».""",
'''def covered():
    """Lo que lee y lo que pinta un MAE con una imagen."""
    ### INICIO SOLUCIÓN
    total = (224 // 16) ** 2
    hidden = total * 15 // 20
    read, whole = total - hidden + 1, total + 1  # el de clase va siempre
    return {
        "lee": read,
        "pinta": whole,
        "parejas": read**2,
        "parejas_sin_tapar": whole**2,
        "números": hidden * 16 * 16 * 3,
    }
    ### FIN SOLUCIÓN''',1)
ex("castigar-lo-tapado","Castigar lo tapado","**★★☆** · 15 minutos · 2 puntos · de código. *Practicas*: tapar parches con un sorteo y calcular la pérdida de MAE.",
"""Cada parche saca un número en un sorteo. Se ven los `n_kept` parches de cada imagen que sacan los **menores**, y los demás se tapan. Escribe `masked_error(painted, patches, noise, n_kept)`, que devuelve la pérdida: el error cuadrático medio de cada parche tapado, y de esos errores, la media de todos los tapados del lote.

Lo que había que pintar en un parche son sus píxeles sin su media ni su escala: a cada número se le resta la media del parche y se divide entre $\\sqrt{v + 10^{-6}}$, donde $v$ es la varianza de sus píxeles que divide entre $P - 1$.

| argumento | qué es | forma |
|---|---|---|
| `painted` | lo pintado en cada parche | `(B, N, P)` |
| `patches` | los píxeles de verdad | `(B, N, P)` |
| `noise` | el número que ha sacado cada parche, enteros sin repetir en cada imagen | `(B, N)` |
| `n_kept` | cuántos parches se ven en cada imagen | entero |
| resultado | la pérdida | un tensor con un solo número |

Por ejemplo, con `painted = [[[0.0, 0.0], [1.0, -1.0]]]`, `patches = [[[5.0, 7.0], [3.0, 3.0]]]`, `noise = [[2, 7]]` y `n_kept = 1`, el resultado es `1.0`: el parche tapado es liso, y había que pintar ceros.

**Precisión**: 0,00001 más una diezmilésima del valor; el resultado conserva el tipo de las entradas y el gradiente llega hasta ellas.

Está en el apartado «Leer lo que se ve, pintar lo que no».""",
'''def masked_error(painted, patches, noise, n_kept):
    """Error de lo pintado en los parches tapados: (B, N, P) → un número."""
    ### INICIO SOLUCIÓN
    kept = noise.argsort(dim=1)[:, :n_kept]
    hidden = torch.ones_like(noise, dtype=torch.bool).scatter(1, kept, False)
    variance = patches.var(-1, keepdim=True)
    targets = (patches - patches.mean(-1, keepdim=True)) / (variance + 1e-6).sqrt()
    return (painted - targets).square().mean(-1)[hidden].mean()
    ### FIN SOLUCIÓN''',2)
ex("dos-colapsos","Dos maneras de no decir nada","**★★☆** · 12 minutos · 2 puntos · para comprender. *Practicas*: deducir las dos entropías de un maestro y reconocer en ellas los dos colapsos.",
"""En la cabeza de un maestro hay **64** prototipos. Con un conjunto grande de imágenes se ve que reparte las imágenes en 5 grupos igual de grandes, y que da a cada imagen un reparto por igual entre 3 prototipos que son solo de su grupo. **Deduce** con papel, en nats (con el logaritmo natural), y contesta con un diccionario de cinco números:

- `de_la_media`: la entropía del reparto medio de todas las imágenes;
- `media`: la media de las entropías de los repartos;
- `información`: lo que un reparto dice de su imagen;
- `por_igual`: la pérdida de un alumno y un maestro que dan a toda imagen un reparto por igual entre todos los prototipos;
- `a_uno`: la pérdida de un alumno y un maestro que dan a toda imagen el mismo prototipo, y nada a los demás.

Por ejemplo, con 32 prototipos, 2 grupos y 2 por grupo, serían 1,386, 0,693, 0,693, 3,466 y 0.

**Precisión**: 0,001.

Está en el apartado «Decir siempre lo mismo».""",
'''def entropies():
    """Las entropías de un maestro, y la pérdida de los dos colapsos."""
    ### INICIO SOLUCIÓN
    log = lambda number: float(torch.tensor(float(number)).log())
    return {
        "de_la_media": log(5 * 3),  # la media se reparte por igual entre los usados
        "media": log(3),
        "información": log(5),  # justo de qué grupo es
        "por_igual": log(64),
        "a_uno": 0.0,
    }
    ### FIN SOLUCIÓN''',2)
ex("un-paso-del-maestro","Un paso del maestro","**★★☆** · 15 minutos · 2 puntos · de código. *Practicas*: escribir la pérdida del alumno y mover el centro del maestro.",
"""El alumno ha visto una vista de cada imagen y el maestro, otra, y cada uno ha dado un número por prototipo. Escribe `teacher_step(student, teacher, center)`, que devuelve dos cosas:

1. **La pérdida**: la entropía cruzada $-\\sum_k P_k \\ln Q_k$, media de las imágenes. $P$ es el reparto del maestro, el softmax de lo que dice **menos el centro**, entre 0,04; $Q$ es el del alumno, el softmax de lo que dice, sin centro, entre 0,1.
2. **El centro nuevo**: nueve décimas partes del que había y una de la media de lo que dice el maestro, antes del softmax y sin centrar.

| argumento | qué es | forma |
|---|---|---|
| `student` | lo que dice el alumno | `(B, K)` |
| `teacher` | lo que dice el maestro | `(B, K)` |
| `center` | el centro | `(K,)` |
| resultado | la pérdida y el centro nuevo | un número y `(K,)` |

Por ejemplo, con `student = [[0.0, 0.0]]`, `teacher = [[1.0, 3.0]]` y `center = [1.0, 1.0]`, el resultado es `0.6931` y `[1.0, 1.2]`: el maestro está seguro del segundo, y el alumno duda entre los dos.

**Precisión**: 0,00001 más una diezmilésima del valor; el resultado conserva el tipo de las entradas y el gradiente llega hasta ellas.

Está en el apartado «Centrar y afilar».""",
'''def teacher_step(student, teacher, center):
    """La pérdida del alumno y el centro nuevo del maestro."""
    ### INICIO SOLUCIÓN
    shares = ((teacher - center) / 0.04).softmax(-1)
    loss = -(shares * (student / 0.1).log_softmax(-1)).sum(-1).mean()
    return loss, 0.9 * center + 0.1 * teacher.mean(0)
    ### FIN SOLUCIÓN''',2)
ex("fallos-del-alumno","Tres fallos del alumno","**★★☆** · 12 minutos · 2 puntos · de código. *Practicas*: encontrar los fallos de un alumno y su maestro en casos que se conocen.",
"""Esta función calcula la pérdida de un alumno con dos vistas de cada imagen, sin centro y con las temperaturas a 1, y después mueve los pesos del maestro, que conservan tres cuartas partes de lo que eran. Se ejecuta sin quejarse, la pérdida baja enseguida y los rasgos no sirven. Tiene **tres** fallos:

```python
def pupil(student, teacher, weights, followed):
    shares = teacher.softmax(-1)
    loss = -(student.softmax(-1) * shares.log()).sum(-1).mean()
    return loss, 0.25 * followed + 0.75 * weights
```

Escribe `pupil(student, teacher, weights, followed)` corregida. El alumno tiene que decir de cada vista lo que el maestro dice de **la otra**.

| argumento | qué es | forma |
|---|---|---|
| `student`, `teacher` | lo que dice cada uno de las dos vistas | `(B, 2, K)` |
| `weights` | los pesos del alumno | `(W,)` |
| `followed` | los del maestro | `(W,)` |
| resultado | la pérdida y los pesos nuevos del maestro | un número y `(W,)` |

Por ejemplo, con `student = [[[0.0, 0.0], [0.0, 0.0]]]`, `teacher = [[[1.0, 0.0], [0.0, 2.0]]]`, `weights = [1.0]` y `followed = [0.0]`, el resultado es `0.6931` y `[0.25]`.

**Precisión**: 0,00001 más una diezmilésima del valor; el resultado conserva el tipo de las entradas y el gradiente llega hasta ellas.

Está en el apartado «Un maestro que es la media de sus alumnos».""",
'''def pupil(student, teacher, weights, followed):
    """La pérdida de un alumno con dos vistas, y los pesos nuevos de su maestro."""
    ### INICIO SOLUCIÓN
    shares = teacher.softmax(-1).flip(1)  # a cada vista del alumno, la otra del maestro
    loss = -(shares * student.log_softmax(-1)).sum(-1).mean()
    return loss, 0.75 * followed + 0.25 * weights
    ### FIN SOLUCIÓN''',2)
ex("rasgos-y-vecinos","¿Son buenos estos rasgos?","**★★★** · 45 minutos · 10 puntos · abierto. *Practicas*: medir unos rasgos por sus vecinos, y qué hace que sean mejores o peores.",
"""Unos rasgos son buenos si las imágenes de la misma clase quedan cerca. Preguntar a los vecinos no entrena nada: mide los rasgos tal como están.

**Primera parte (2 puntos).** Escribe `neighbour_hits(known, labels, asked, answers, k)`. A cada pregunta le contestan las `k` conocidas con mayor **coseno**. Cada una vota por su clase, y su voto vale $e^{\\cos/0{,}07}$; gana la clase con más votos. El resultado es la parte de aciertos.

| argumento | qué es | forma |
|---|---|---|
| `known` | los rasgos de las conocidas | `(N, D)` |
| `labels` | sus clases, enteros | `(N,)` |
| `asked` | los rasgos de las preguntas | `(M, D)` |
| `answers` | sus clases | `(M,)` |
| `k` | cuántas contestan | entero |
| resultado | la parte de aciertos | número |

Por ejemplo, con `known = [[1.0, 0.0], [0.6, 0.8], [0.6, -0.8]]`, `labels = [0, 1, 1]`, `asked = [[5.0, 0.0], [0.0, 2.0]]`, `answers = [0, 0]` y `k = 3`, el resultado es `0.5`.

**Segunda parte (8 puntos).** ¿De qué depende que los rasgos de un MAE sean buenos? Con `masked.train` y las cifras de `split_digits`, elige **una** cosa (la parte que se tapa, el tamaño del decodificador o pedir píxeles con su escala o sin ella) y averigua qué les pasa a los vecinos cuando se cambia. Bastan 300 pasos. Escribe lo que concluyes en un máximo de 300 palabras y una tabla o figura.

| criterio | 0 puntos | 1 punto | 2 puntos |
|---|---|---|---|
| **Hipótesis** | no hay | se afirma algo que ningún resultado podría desmentir | se predice un resultado y se dice cuál lo desmentiría, antes de medir |
| **Diseño** | cambian varias cosas a la vez | cambia una sola cosa, con una semilla | cambia una sola cosa, con tres semillas o más y los mismos pasos |
| **Medida** | no se mide nada | el acierto de los vecinos | el acierto de los vecinos junto al de los píxeles y al de pesos al azar, con su dispersión entre semillas |
| **Conclusión** | no se sigue de los datos | se sigue de los datos | se sigue de los datos y dice qué otra explicación no descarta |

**Precisión**: 0,00001.

Se apoya en el apartado «Cuántas etiquetas se ahorran».""",
'''def neighbour_hits(known, labels, asked, answers, k):
    """Parte de preguntas que aciertan sus k vecinas de mayor coseno."""
    ### INICIO SOLUCIÓN
    known, asked = (x / x.norm(dim=-1, keepdim=True) for x in (known, asked))
    near, which = (asked @ known.T).topk(k)
    votes = torch.zeros(len(asked), int(labels.max()) + 1, dtype=near.dtype)
    votes = votes.scatter_add(1, labels[which], (near / 0.07).exp())
    return float((votes.argmax(1) == answers).double().mean())
    ### FIN SOLUCIÓN''',2,"""### INICIO SOLUCIÓN
TEXTO_ABIERTO
### FIN SOLUCIÓN""",8)
nb={"cells":cells,"metadata":base["metadata"],"nbformat":4,"nbformat_minor":5}
out=sys.argv[1]
open(out,"w").write(json.dumps(nb,indent=1,ensure_ascii=False)+"\n")
