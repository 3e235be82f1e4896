// El buscador: recorre el índice de apartados que escribe course_site/search.py. No distingue
// mayúsculas, tildes ni plurales, y prefiere la palabra entera a la que solo empieza igual.
(() => {
  "use strict";

  const PAGE_SIZE = 8;
  const PLACES_SHOWN = 3;
  const AROUND = 90;
  // Lo que se busca suele estar explicado en un capítulo; la referencia, al final.
  const WEIGHTS = [
    [/glosario/, 1.4],
    [/_ejercicios/, 0.7],
    [/referencia/, 0.6],
  ];
  const input = document.querySelector("#consulta");
  const list = document.querySelector("#resultados");
  const status = document.querySelector("#cuantos");
  const more = document.querySelector("#mas");
  const root = document.documentElement.dataset.content_root;

  /** Un texto en minúsculas y sin tildes, de la misma longitud. */
  function folded(text) {
    return Array.from(text, (c) => (c.length > 1 ? "  " : c.normalize("NFD")[0].toLowerCase())).join("");
  }

  const sections = window.tfcourseIndex.flatMap(([address, found]) =>
    found.map(([anchor, title, text]) => ({
      address,
      page: found[0][1],
      url: `${root}${address}${anchor === found[0][0] ? "" : `#${anchor}`}`,
      title,
      text,
      foldedTitle: folded(title),
      foldedText: folded(text),
      weight: WEIGHTS.find(([pattern]) => pattern.test(address))?.[1] ?? 1,
    })),
  );

  /** Busca una palabra entera, en singular o plural; si no está en ningún sitio, lo que empieza así. */
  function pattern(word) {
    const stem = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/(?<=.{3})(?:es|s)$/, "");
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])${stem}(?:e?s)?(?![\\p{L}\\p{N}])`, "gu");
    const present = (s) => s.foldedText.match(whole) || s.foldedTitle.match(whole);
    return sections.some(present) ? whole : new RegExp(`(?<![\\p{L}\\p{N}])${stem}`, "gu");
  }

  /** Cuánto responde un apartado a las palabras; nada si le falta alguna. */
  function score(section, patterns) {
    let total = 0;
    for (const wanted of patterns) {
      const inText = section.foldedText.match(wanted)?.length ?? 0;
      const inTitle = section.foldedTitle.match(wanted) ? 6 / Math.sqrt(section.title.length / 10) : 0;
      if (!inText && !inTitle) return 0;
      total += Math.log1p(inText) + inTitle;
    }
    return total * section.weight;
  }

  /** Las páginas que responden, de mejor a peor, cada una con sus apartados también por orden. */
  function find(patterns) {
    const pages = new Map();
    for (const section of sections) {
      const points = score(section, patterns);
      if (!points) continue;
      if (!pages.has(section.address)) pages.set(section.address, []);
      pages.get(section.address).push({ section, points });
    }
    const ranked = [...pages.values()];
    for (const hits of ranked) hits.sort((one, other) => other.points - one.points);
    return ranked.sort((one, other) => other[0].points - one[0].points);
  }

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  /** El trozo de texto que rodea al primer acierto, con los aciertos marcados. */
  function excerpt(section, patterns) {
    const hits = patterns.flatMap((wanted) => [...section.foldedText.matchAll(wanted)]);
    hits.sort((one, other) => one.index - other.index);
    const middle = hits[0]?.index ?? 0;
    const start = section.text.lastIndexOf(" ", Math.max(0, middle - AROUND)) + 1;
    const end = section.text.indexOf(" ", middle + 2 * AROUND);
    const stop = end < 0 ? section.text.length : end;
    const line = element("p", {}, start ? "… " : "");
    let done = start;
    for (const hit of hits) {
      if (hit.index < done || hit.index + hit[0].length > stop) continue;
      line.append(section.text.slice(done, hit.index));
      done = hit.index + hit[0].length;
      line.append(element("mark", {}, section.text.slice(hit.index, done)));
    }
    line.append(section.text.slice(done, stop), stop < section.text.length ? " …" : "");
    return line;
  }

  function show(hits, patterns) {
    const best = hits[0].section;
    const places = hits.slice(0, PLACES_SHOWN).map(({ section }) => section);
    const links = places
      .filter((place) => place.title !== place.page)
      .map((place) => element("li", {}, element("a", { href: place.url }, place.title)));
    const heading = element("a", { className: "resultado", href: root + best.address }, best.page);
    const item = element("li", {}, heading, excerpt(best, patterns));
    if (links.length) item.append(element("ul", {}, ...links));
    list.append(item);
  }

  let pending = [];
  let patterns = [];

  function showMore() {
    for (const hits of pending.splice(0, PAGE_SIZE)) show(hits, patterns);
    more.hidden = !pending.length;
  }

  function search() {
    const query = input.value.trim();
    const address = new URL(location.href);
    if (query) address.searchParams.set("q", query);
    else address.searchParams.delete("q");
    history.replaceState(null, "", address);
    patterns = folded(query).split(/\s+/).filter(Boolean).map(pattern);
    pending = patterns.length ? find(patterns) : [];
    list.replaceChildren();
    const many = pending.length;
    if (!query) status.textContent = "";
    else if (many) status.textContent = `${many === 1 ? "Una página" : `${many} páginas`} sobre «${query}».`;
    else status.textContent = `Nada sobre «${query}». Prueba con menos palabras o mira el glosario.`;
    showMore();
  }

  /** Las flechas van del campo a los resultados y de uno a otro. */
  function move(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = [input, ...list.querySelectorAll("a")];
    const here = stops.indexOf(document.activeElement);
    if (!step || here < 0 || !stops[here + step]) return;
    event.preventDefault();
    stops[here + step].focus();
  }

  let waiting;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, 120);
  });
  document.querySelector("#buscador").addEventListener("submit", (event) => {
    event.preventDefault();
    search();
  });
  more.addEventListener("click", () => {
    const shown = list.children.length;
    showMore();
    list.children[shown]?.querySelector("a").focus();
  });
  document.addEventListener("keydown", move);
  input.value = new URLSearchParams(location.search).get("q") ?? "";
  input.focus();
  if (input.value) search();
})();
