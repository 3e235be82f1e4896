// Anfitrión de las figuras interactivas en la página estática.
//
// El estado de cada figura está en un guion JSON de la página o en el archivo que ese guion nombra,
// y entonces se pide al acercarse a ella. Una figura `anywidget` lleva en él su propio módulo: aquí
// se carga y se le da un modelo mínimo, porque no hay Python detrás.
(() => {
  "use strict";

  const ROOM = "16rem";
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

  /** Trae un archivo de datos; si no llega, cada vista suya muestra su aviso. */
  function bring(address) {
    return new Promise((done) => {
      const script = document.createElement("script");
      Object.assign(script, { src: address, onload: done, onerror: done });
      document.head.append(script);
    });
  }

  /** Los modelos de la página y los del archivo donde está el que se pide, que se trae una vez. */
  async function savedModels(states, id, brought) {
    const models = {};
    for (const script of states) {
      const { archivo: file, figuras: inside } = script.dataset;
      if (inside !== undefined && !inside.split(" ").includes(id)) continue;
      try {
        if (file && !brought.has(file)) brought.set(file, bring(file));
        if (file) await brought.get(file);
        else Object.assign(models, JSON.parse(script.textContent).state);
      } catch (error) {
        console.error(error);
      }
    }
    return { ...models, ...window.tfcourseFigures };
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

  async function showView({ el, id }, models, started, styles) {
    try {
      const state = (await models(id))[id]?.state;
      if (!state) return showNotice(el, WITHOUT_STATE);
      if (typeof state._esm !== "string") return showNotice(el, NEEDS_KERNEL);
      addStyleOnce(state._css, styles);
      if (!started.has(id)) started.set(id, start(state));
      const { definition, model } = await started.get(id);
      await definition.render?.({ model, el });
    } catch (error) {
      console.error(error);
      showNotice(el, `No se ha podido mostrar este control (${error.message}). Ábrelo en Colab.`);
    } finally {
      el.style.minHeight = "";
    }
  }

  /** El sitio de una vista, que el curso ya trae escrito, con altura para que nada salte al dibujarla. */
  function reserve(script) {
    let el = script.nextElementSibling;
    if (!el?.matches(".vista")) {
      el = document.createElement("div");
      script.after(el);
    }
    el.style.minHeight = ROOM;
    return { el, id: JSON.parse(script.textContent).model_id };
  }

  function showAll() {
    const views = [...document.querySelectorAll(`script[type="${MIME}view+json"]`)].map(reserve);
    if (!views.length) return;
    const states = [...document.querySelectorAll(`script[type="${MIME}state+json"]`)];
    const started = new Map();
    const styles = new Set();
    const brought = new Map();
    const models = (id) => savedModels(states, id, brought);
    const shown = new Map();
    const show = (view) => {
      if (!shown.has(view)) shown.set(view, showView(view, models, started, styles));
      return shown.get(view);
    };
    // Quien imprime las quiere todas: la promesa se cumple cuando están dibujadas.
    window.tfcourseShowFigures = () => Promise.all(views.map(show));
    window.addEventListener("beforeprint", window.tfcourseShowFigures);
    if (!states.some((script) => script.dataset.archivo)) return views.forEach(show);
    const nearby = new IntersectionObserver(
      (entries) => {
        for (const entry of entries.filter((one) => one.isIntersecting)) {
          nearby.unobserve(entry.target);
          show(views.find(({ el }) => el === entry.target));
        }
      },
      { rootMargin: "100% 0px" },
    );
    for (const { el } of views) nearby.observe(el);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", showAll);
  else showAll();
})();
