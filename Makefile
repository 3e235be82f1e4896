# Órdenes del curso. Solo hacen falta python3, make y git; «make» a secas las enumera.

PYTHON ?= python3
PY ?= .venv/bin/python
CAP ?=
PUERTO ?= 8000
# Pruebas a la vez, cuatro como mucho: un cuaderno puede gastar 3 GB.
PROCESOS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1); [ $$n -lt 4 ] && echo $$n || echo 4)

LISTO := .venv/.listo
SITIO := _build/html
NODO := .ci/node_modules/.listo
FUENTES := $(shell find _config.yml _toc.yml chapters tfcourse data -type f ! -name '*.pyc' 2>/dev/null)

export PYTHONUTF8 := 1

.DEFAULT_GOAL := ayuda
.PHONY: ayuda preparar libro sitio ver pdf lighthouse prueba prueba-sin-instalar prueba-cuadernos \
	prueba-cuadernos-sin-instalar revisar ejecutar espejo ejercicios enlaces cuaderno formato \
	candado limpiar

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

prueba: $(LISTO) ## Comprueba todo: código, cuadernos, ejercicios y sitio
	@$(MAKE) --no-print-directory prueba-sin-instalar

prueba-sin-instalar: revisar $(SITIO)/.listo
	@echo "» pruebas, con $(PROCESOS) a la vez"
	@$(PY) -m pytest -n $(PROCESOS) --dist worksteal

revisar:
	@echo "» estilo del código"
	@$(PY) -m ruff check . && $(PY) -m ruff format --check .
	@echo "» espejo, enlaces y ejercicios al día"
	@$(PY) -m tfcourse espejo && $(PY) -m tfcourse enlaces && $(PY) -m tfcourse ejercicios

pdf: $(LISTO) ## Imprime el libro en PDF con Chromium (CAP=03, solo ese capítulo)
	@$(MAKE) --no-print-directory sitio
	@$(PY) .ci/pdf.py $(CAP)

lighthouse: $(LISTO) .ci/lighthouse/node_modules/.listo ## Mide con Lighthouse la rapidez y la accesibilidad del sitio
	@TFCOURSE_LIGHTHOUSE=1 $(PY) -m pytest tests/test_site_lighthouse.py -rA

prueba-cuadernos: $(LISTO) ## Solo los cuadernos, cada uno en una carpeta vacía
	@$(MAKE) --no-print-directory prueba-cuadernos-sin-instalar

prueba-cuadernos-sin-instalar:
	@$(PY) -m pytest tests/test_chapters.py

ejecutar: $(LISTO) ## Vuelve a ejecutar los capítulos y guarda sus salidas (CAP=03, solo ese)
	@$(PY) -m tfcourse ejecutar $(CAP)

espejo: $(LISTO) ## Lleva a los cuadernos el código del paquete que enseñan
	@$(PY) -m tfcourse espejo --escribir

ejercicios: $(LISTO) ## Genera los cuadernos del estudiante a partir de los maestros
	@$(PY) -m tfcourse ejercicios --escribir

enlaces: $(LISTO) ## Lleva la dirección del repositorio a todos los archivos
	@$(PY) -m tfcourse enlaces --escribir

cuaderno: $(LISTO) ## Abre JupyterLab en los capítulos
	@$(PY) -m jupyterlab --notebook-dir=chapters

formato: $(LISTO) ## Da formato al código
	@$(PY) -m ruff check --fix . && $(PY) -m ruff format .

candado: $(LISTO) ## Vuelve a fijar las versiones exactas en requirements.lock
	@$(PY) -m uv pip compile pyproject.toml --universal --python-version 3.11 --all-extras \
		--no-header --no-annotate --no-emit-index-url --constraint restricciones.txt \
		--upgrade --quiet -o requirements.lock

limpiar: ## Borra el sitio y los archivos temporales (deja .venv)
	@rm -rf _build dist .pytest_cache .ruff_cache .hypothesis
	@find chapters tfcourse tests -name __pycache__ -prune -exec rm -rf {} +
