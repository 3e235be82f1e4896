# Órdenes del curso. Solo hacen falta python3, make y git; `make` a secas las lista.

PYTHON ?= python3
PY ?= .venv/bin/python
CAP ?=
PUERTO ?= 8000
# Cuadernos a la vez: cada uno puede gastar 3 GB.
PROCESOS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1); [ "$$n" -lt 4 ] && echo "$$n" || echo 4)

SITIO := _build/html
FUENTES := $(shell find _config.yml _toc.yml chapters tfcourse -type f ! -name '*.pyc' 2>/dev/null)

export PYTHONUTF8 = 1

.DEFAULT_GOAL := ayuda
.PHONY: ayuda entorno libro ver prueba prueba-sin-instalar prueba-cuadernos-sin-instalar \
	revisar sitio-sin-instalar ejecutar espejo ejercicios enlaces cuaderno formato candado limpiar

ayuda: ## Lista estas órdenes
	@echo "Órdenes del curso:"
	@sed -n 's/^\([a-z][a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) \
		| while IFS='|' read -r orden para; do printf '  make %-12s %s\n' "$$orden" "$$para"; done

libro: .venv/listo ## Construye el sitio con las salidas guardadas (instala lo que falte)
	@$(MAKE) --no-print-directory $(SITIO)/.listo
	@echo
	@echo "El sitio está en $(SITIO)/index.html"
	@echo "Para verlo: make ver"

ver: ## Sirve el sitio en este equipo (PUERTO=8000)
	@test -f $(SITIO)/index.html || { echo "El sitio no está construido: ejecuta «make libro»."; exit 1; }
	@echo "Abre http://localhost:$(PUERTO) en el navegador. Para terminar, Ctrl+C."
	@$(PYTHON) -m http.server $(PUERTO) --bind 127.0.0.1 --directory $(SITIO) >/dev/null 2>&1 \
		|| [ $$? -eq 130 ] || { echo "El puerto $(PUERTO) está ocupado: prueba «make ver PUERTO=8001»."; exit 1; }

prueba: .venv/listo ## Comprueba todo: estilo, cuadernos, paquete y sitio (instala lo que falte)
	@$(MAKE) --no-print-directory prueba-sin-instalar

prueba-sin-instalar: revisar $(SITIO)/.listo
	@echo "[prueba] paquete, cuadernos y sitio, con $(PROCESOS) procesos"
	$(PY) -m pytest -n $(PROCESOS) --dist worksteal

prueba-cuadernos-sin-instalar:
	$(PY) -m pytest tests/test_chapters.py

revisar:
	@echo "[prueba] estilo del código"
	@$(PY) -m ruff check . && $(PY) -m ruff format --check .
	@echo "[prueba] cuadernos al día con el paquete, la dirección y los maestros"
	@$(PY) -m tfcourse espejo
	@$(PY) -m tfcourse enlaces
	@$(PY) -m tfcourse ejercicios

# Siempre entero: Sphinx no repite los avisos de las páginas que ya construyó.
$(SITIO)/.listo: $(FUENTES)
	@echo "[libro] construye el sitio; un aviso es un error"
	@$(PY) -m tfcourse.book || { echo "[libro] Error: mira los avisos de arriba."; exit 1; }
	@touch $@

ejecutar: .venv/listo ## Ejecuta los capítulos y guarda sus salidas (CAP=03, solo ese)
	$(PY) -m tfcourse ejecutar $(CAP)

espejo: .venv/listo ## Copia en los cuadernos el código del paquete que enseñan
	$(PY) -m tfcourse espejo --escribir

ejercicios: .venv/listo ## Genera los cuadernos de ejercicios a partir de los maestros
	$(PY) -m tfcourse ejercicios --escribir

enlaces: .venv/listo ## Lleva la dirección del repositorio a todos los archivos
	$(PY) -m tfcourse enlaces --escribir

cuaderno: .venv/listo ## Abre JupyterLab en los capítulos
	$(PY) -m jupyterlab --notebook-dir=chapters

formato: .venv/listo ## Da formato al código
	$(PY) -m ruff format . && $(PY) -m ruff check --fix .

candado: .venv/listo ## Vuelve a fijar las versiones en requirements.lock
	$(PY) -m pip install --quiet uv
	$(PY) -m uv pip compile pyproject.toml --universal --python-version 3.11 --all-extras \
		--no-annotate --custom-compile-command "make candado" --upgrade --quiet -o requirements.lock

limpiar: ## Borra el sitio construido y los restos de las pruebas (el entorno se conserva)
	rm -rf _build dist .pytest_cache .ruff_cache .hypothesis
	find chapters tfcourse tests -name __pycache__ -type d -prune -exec rm -rf {} +

entorno: .venv/listo ## Crea .venv e instala el curso con las versiones fijadas

.venv/listo: requirements.lock pyproject.toml .ci/preparar.py
	@command -v $(PYTHON) >/dev/null || { echo "No se encuentra «$(PYTHON)»: instala Python 3.11 o más nuevo."; exit 1; }
	@$(PYTHON) .ci/preparar.py .venv
	@touch $@
