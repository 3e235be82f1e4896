// Anfitrión de las figuras interactivas en la página estática.
//
// La página guarda el estado de cada figura en un guion JSON; una figura `anywidget` lleva en él
// su propio módulo. Aquí se carga ese módulo y se le da un modelo mínimo: no hay Python detrás.
(() => {
  "use strict";

  const MIME = "application/vnd.jupyter.widget-";
  const NEEDS_KERNEL = "Este control necesita un cuaderno en marcha: ábrelo en Colab.";
  const WITHOUT_STATE =
    "La página no guarda los datos de este control: ábrelo en Colab y ejecuta la celda.";

  /** Modelo con lo que usan las figuras; `save_changes` no tiene a quién avisar. */
  class StaticModel {
    constructor(state) {
      this.state = { ...state };
      this.listeners = new Map();
    }
    get(name) {
      return this.state[name];
    }
    set(name, value) {
      if (Object.is(this.state[name], value)) return;
      this.state[name] = value;
      this.emit(`change:${name}`);
      this.emit("change");
    }
    on(event, callback) {
      if (!this.listeners.has(event)) this.listeners.set(event, new Set());
      this.listeners.get(event).add(callback);
    }
    off(event, callback) {
      if (callback) this.listeners.get(event)?.delete(callback);
      else this.listeners.delete(event);
    }
    emit(event) {
      for (const callback of [...(this.listeners.get(event) ?? [])]) callback();
    }
    save_changes() {}
    send() {}
  }

  /** Todos los modelos guardados en la página; sin ellos, cada vista muestra su aviso. */
  function savedModels() {
    const models = {};
    for (const script of document.querySelectorAll(`script[type="${MIME}state+json"]`)) {
      try {
        Object.assign(models, JSON.parse(script.textContent).state);
      } catch (error) {
        console.error(error);
      }
    }
    return models;
  }

  function addStyleOnce(css, styles) {
    if (!css || styles.has(css)) return;
    styles.add(css);
    const style = document.createElement("style");
    style.textContent = css;
    document.head.append(style);
  }

  async function importText(source) {
    const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    try {
      return (await import(url)).default;
    } finally {
      URL.revokeObjectURL(url);
    }
  }

  /** Carga el módulo de un modelo y lo inicia; varias vistas comparten el resultado. */
  async function start(state) {
    const exported = await importText(state._esm);
    const definition = typeof exported === "function" ? await exported() : exported;
    const model = new StaticModel(state);
    await definition.initialize?.({ model });
    return { definition, model };
  }

  function showNotice(el, text) {
    const notice = document.createElement("p");
    notice.className = "control-sin-cuaderno";
    notice.style.cssText = "padding:.6rem .8rem;border:1px solid currentColor;border-radius:.4rem";
    notice.textContent = text;
    el.replaceChildren(notice);
  }

  async function showView(script, models, started, styles) {
    const el = document.createElement("div");
    script.after(el);
    try {
      const id = JSON.parse(script.textContent).model_id;
      const state = models[id]?.state;
      if (!state) return showNotice(el, WITHOUT_STATE);
      if (typeof state._esm !== "string") return showNotice(el, NEEDS_KERNEL);
      addStyleOnce(state._css, styles);
      if (!started.has(id)) started.set(id, start(state));
      const { definition, model } = await started.get(id);
      await definition.render?.({ model, el });
    } catch (error) {
      console.error(error);
      showNotice(el, `No se ha podido mostrar este control (${error.message}). Ábrelo en Colab.`);
    }
  }

  function showAll() {
    const views = document.querySelectorAll(`script[type="${MIME}view+json"]`);
    if (!views.length) return;
    const models = savedModels();
    const started = new Map();
    const styles = new Set();
    for (const script of views) showView(script, models, started, styles);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", showAll);
  else showAll();
})();
