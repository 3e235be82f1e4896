// El buscador: responde con apartados mientras se escribe, con el índice que course_site/search.py
// reparte en trozos. Los títulos vienen con la página; lo demás, según lo que se busca.
(() => {
  "use strict";

  const index = window.tfcourseIndex;
  const root = document.documentElement.dataset.content_root;
  const empty = new Set(index.empty.split(" "));
  const buckets = new Set(index.buckets.split(" "));
  const CODE = 0.45;
  // Lo que se busca suele estar explicado en un capítulo o en el glosario; la referencia, al final.
  const KINDS = [
    [/glosario/, 1.15],
    [/paquete/, CODE],
    [/_ejercicios/, 0.6],
    [/simbolos|bibliografia|intro|docencia|erratas/, 0.4],
    [/referencia|notacion/, 0.7],
  ];
  const TITLE = 5;
  const SAME_TITLE = 7;
  const WHOLE = 1.4;
  const PAGE = 2;
  const ANOTHER_NAME = 0.9;
  const PER_PAGE = 3;

  /** Un texto en minúsculas y sin tildes. */
  const folded = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

  /** La raíz de una palabra ya sin tildes: la misma en singular y en plural. */
  function stem(word) {
    let root = word;
    if (root.length > 3 && root.endsWith("s") && !root.endsWith("ss")) root = root.slice(0, -1);
    if (root.length > 3 && /[aeo]$/.test(root)) root = root.slice(0, -1).replace(/c$/, "z");
    return root;
  }

  /** Las raíces de las palabras de un texto; un nombre compuesto cuenta entero y por piezas. */
  function stems(text) {
    return [...text.matchAll(/[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*/gu)].flatMap(([word]) => {
      const pieces = word.split(/_+|(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])/u).filter(Boolean);
      const names = (pieces.length > 1 ? [pieces.join(""), ...pieces] : pieces).map(folded);
      return names.filter((name) => !empty.has(name)).map(stem);
    });
  }

  // ---- Los apartados ---------------------------------------------------------------------

  const sections = [];
  const titled = new Map(); // raíz → los apartados que la llevan en el título o en otro nombre
  const bookTitles = new Set();
  const groups = new Map(); // «beam search» → todos los nombres de lo mismo
  let pages = 0;

  function addPages(list) {
    for (const [address, rows] of list) {
      const kind = KINDS.find(([pattern]) => pattern.test(address))?.[1];
      rows.forEach(([anchor, title, length], place) => {
        const names = [title, ...(index.names[sections.length] ?? [])].map(stems);
        const section = { id: sections.length, page: pages, place, address, anchor, title, length, names };
        // De un tema responde mejor el capítulo entero, o su definición, que un apartado suelto.
        section.main = place ? /glosario/.test(address) : kind === undefined;
        section.kind = kind ?? (place ? 1 : WHOLE);
        // El número de un capítulo no es parte de su nombre.
        if (!place) names.push(names[0].filter((word) => !/^\d+$/.test(word)));
        for (const word of new Set(names.flat())) {
          if (index.package === undefined) bookTitles.add(word);
          if (!titled.has(word)) titled.set(word, []);
          titled.get(word).push(section.id);
        }
        sections.push(section);
        if (/glosario/.test(address) && place) join(names);
      });
      pages += 1;
    }
  }

  /** Los nombres de un término, en las dos lenguas, se buscan unos por otros. */
  function join(names) {
    for (const name of names) {
      const key = name.join(" ");
      groups.set(key, [...(groups.get(key) ?? []), ...names.filter((other) => other !== name)]);
    }
  }

  addPages(index.pages);

  const brought = new Map();
  /** Trae un trozo del índice, una sola vez. */
  function bring(name) {
    if (!brought.has(name)) {
      const made = new Promise((done) => {
        const script = document.createElement("script");
        Object.assign(script, { src: `${root}_static/buscar/${name}.js`, onload: done, onerror: done });
        document.head.append(script);
      });
      brought.set(name, made);
    }
    return brought.get(name);
  }

  let whole = false;
  async function bringPackage() {
    await bring("paquete");
    if (!whole && index.package) addPages(index.package);
    whole = Boolean(index.package);
  }

  const bucketOf = (word) => (buckets.has(word.slice(0, 2)) ? word.slice(0, 2) : null);
  const bringWords = (words) =>
    Promise.all([...new Set(words.map(bucketOf).filter(Boolean))].map((key) => bring(`p-${key}`)));

  const decoded = new Map();
  /** Cuántas veces está una palabra en cada apartado. */
  function times(word) {
    if (decoded.has(word)) return decoded.get(word);
    const stored = index.words[bucketOf(word)];
    if (!stored) return new Map();
    let id = 0;
    const found = new Map();
    for (const step of Object.hasOwn(stored, word) ? stored[word] : []) {
      id += Math.floor(step / index.many);
      found.set(id, (step % index.many) + 1);
    }
    decoded.set(word, found);
    return found;
  }

  // ---- Lo que se pregunta ----------------------------------------------------------------

  const known = (word) => bookTitles.has(word) || times(word).size > 1;
  const vocabulary = (word) => [...titled.keys(), ...Object.keys(index.words[bucketOf(word)] ?? {})];

  /** Cuántas letras cambian de una palabra a otra, si no pasan de `most`; dos vecinas se cruzan. */
  function distance(one, other, most) {
    if (Math.abs(one.length - other.length) > most) return most + 1;
    let before = [];
    let last = Array.from({ length: other.length + 1 }, (_, j) => j);
    for (let i = 1; i <= one.length; i += 1) {
      const row = [i];
      for (let j = 1; j <= other.length; j += 1) {
        const same = one[i - 1] === other[j - 1];
        row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1));
        const crossed = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
        if (crossed) row[j] = Math.min(row[j], before[j - 2] + 1);
      }
      if (Math.min(...row) > most) return most + 1;
      before = last;
      last = row;
    }
    return last[other.length];
  }

  /** Las palabras que se pudieron querer escribir: la misma, las que empiezan así o las parecidas. */
  function meant(word) {
    if (known(word)) return [word];
    const words = [...new Set(vocabulary(word))];
    const longer = word.length > 1 ? words.filter((other) => other.startsWith(word)) : [];
    if (longer.length) return longer; // entre ellas, la misma, si está alguna vez
    const most = word.length > 7 ? 2 : word.length > 3 ? 1 : 0;
    for (let far = 1; far <= most; far += 1) {
      const near = words.filter((other) => other.length > 3 && distance(word, other, far) <= far);
      const inTitles = near.filter((other) => titled.has(other));
      if (near.length) return inTitles.length ? inTitles : near;
    }
    return [];
  }

  const isCode = (query) => /^\S*(?:_|[a-z][A-Z][a-z])\S*$/.test(query);

  /** Las palabras de una pregunta. De un nombre de código, el nombre entero, si existe. */
  function wordsOf(query) {
    const words = stems(query);
    if (isCode(query) && (titled.has(words[0]) || times(words[0]).size)) return words.slice(0, 1);
    return words.length ? words : folded(query).split(/\s+/).filter(Boolean).map(stem);
  }

  /** Junta lo que se escribió separado: «auto atención» es «autoatención». */
  function glued(words) {
    const found = [];
    for (const word of words) {
      const both = found.length ? found.at(-1) + word : "";
      if (both && titled.has(both) && !(known(word) && known(found.at(-1)))) found[found.length - 1] = both;
      else found.push(word);
    }
    return found;
  }

  /** Las ideas de una pregunta. Cada una se puede decir de varias maneras, con una o más palabras. */
  function ideas(words) {
    const written = glued(words).map(meant);
    const sure = written.map((options) => (options.length === 1 ? options[0] : null));
    const found = [];
    for (let start = 0; start < written.length; ) {
      let end = written.length;
      while (end > start && !groups.has(sure.slice(start, end).join(" "))) end -= 1;
      if (end > start) {
        const name = sure.slice(start, end);
        const others = groups.get(name.join(" ")).map((other) => ({ words: other.map((w) => [w]), weight: ANOTHER_NAME }));
        found.push([{ words: name.map((w) => [w]), weight: 1 }, ...others]);
        start = end;
      } else {
        found.push([{ words: [written[start]], weight: 1 }]);
        start += 1;
      }
    }
    return found;
  }

  // ---- Los puntos ------------------------------------------------------------------------

  /** Lo que vale una palabra en cada apartado: en su título, en su texto y en toda su página. */
  function wordPoints(options) {
    const points = new Map();
    const inPage = new Map();
    const add = (id, value) => points.set(id, Math.max(points.get(id) ?? 0, value));
    for (const word of options) {
      const inText = times(word);
      const rare = Math.log(1 + sections.length / (1 + inText.size + (titled.get(word)?.length ?? 0)));
      for (const id of titled.get(word) ?? []) {
        const [title, ...others] = sections[id].names;
        const lengths = others.filter((name) => name.includes(word)).map((name) => name.length + 0.5);
        const shortest = Math.min(...lengths, title.includes(word) ? title.length : Infinity);
        add(id, (rare * TITLE) / (1 + 0.4 * (shortest - 1)));
      }
      for (const [id, count] of inText) {
        if (!sections[id]) continue; // el trozo con su título aún no ha llegado
        const long = 0.5 + sections[id].length / 300;
        points.set(id, (points.get(id) ?? 0) + (rare * 2.2 * count) / (count + long));
        inPage.set(sections[id].page, (inPage.get(sections[id].page) ?? 0) + count);
      }
    }
    return { points, inPage };
  }

  /** Los apartados que responden, de mejor a peor. */
  function rank(asked, code) {
    const totals = new Map(); // apartado → puntos de cada idea
    const inPages = new Map();
    asked.forEach((idea, place) => {
      for (const { words, weight } of idea) {
        const parts = words.map(wordPoints);
        const [first, ...rest] = parts;
        for (const [id, value] of first?.points ?? []) {
          if (!rest.every(({ points }) => points.has(id))) continue;
          // Un nombre largo no vale más que uno corto.
          const sum = (rest.reduce((total, { points }) => total + points.get(id), value) * weight) / Math.sqrt(parts.length);
          if (!totals.has(id)) totals.set(id, asked.map(() => 0));
          totals.get(id)[place] = Math.max(totals.get(id)[place], sum + sameTitle(id, words) * weight);
        }
        for (const [page, count] of first?.inPage ?? []) {
          const least = Math.min(count, ...rest.map(({ inPage }) => inPage.get(page) ?? 0));
          inPages.set(page, [...(inPages.get(page) ?? []), [place, least]]);
        }
      }
    });
    // El principio de una página responde por toda ella.
    for (const section of sections) {
      const counts = section.place ? [] : (inPages.get(section.page) ?? []);
      for (const [place, count] of counts) {
        if (!totals.has(section.id)) totals.set(section.id, asked.map(() => 0));
        totals.get(section.id)[place] += PAGE * Math.log1p(count);
      }
    }
    const ranked = [...totals].map(([id, parts]) => {
      const met = parts.filter(Boolean).length / asked.length;
      const kind = code && sections[id].kind === CODE ? 1 : sections[id].kind;
      const points = parts.reduce((a, b) => a + b, 0) * met ** 3 * kind;
      return { section: sections[id], points, met };
    });
    // Si alguno lo tiene todo, los que no lo tienen no responden.
    const complete = ranked.some(({ met }) => met === 1);
    const answers = complete ? ranked.filter(({ met }) => met === 1) : ranked;
    return spread(answers.sort((one, other) => other.points - one.points));
  }

  /** Si un apartado se llama justo así: por él se pregunta. */
  function sameTitle(id, words) {
    const wanted = new Set(words.flat());
    const same = sections[id].names.some(
      (name) => name.length === words.length && name.every((word) => wanted.has(word)),
    );
    return same ? SAME_TITLE * (sections[id].main ? 1 : 0.3) : 0;
  }

  /** Ninguna página llena la lista: a partir del tercero, sus apartados van al final. */
  function spread(ranked) {
    const seen = new Map();
    const [first, rest] = [[], []];
    for (const one of ranked) {
      const count = (seen.get(one.section.address) ?? 0) + 1;
      seen.set(one.section.address, count);
      (count > PER_PAGE ? rest : first).push(one);
    }
    return [...first, ...rest];
  }

  /** Lo que se responde con lo que ya ha llegado. */
  function answer(query) {
    const words = wordsOf(query);
    const asked = words.length ? ideas(words) : [];
    const found = asked.every((idea) => idea.some(({ words: parts }) => parts.every((part) => part.length)));
    const marks = new Set(asked.flat().flatMap((option) => option.words.flat()));
    return { ranked: asked.length && found ? rank(asked, isCode(query)) : [], marks };
  }

  /** Lo que se responde con todo el índice que hace falta. */
  async function ask(query) {
    await Promise.all([bringPackage(), bringWords(stems(query)), bringWords(wordsOf(query))]);
    await bringWords(ideas(wordsOf(query)).flatMap((idea) => idea.flatMap((option) => option.words.flat())));
    return answer(query);
  }

  const urlOf = ({ address, anchor, place }) => `${root}${address}${place ? `#${anchor}` : ""}`;
  window.tfcourseSearch = { ask, stem, urlOf };

  // ---- La página -------------------------------------------------------------------------

  const PAGE_SIZE = 10;
  const AROUND = 90;
  const input = document.querySelector("#consulta");
  const list = document.querySelector("#resultados");
  const status = document.querySelector("#cuantos");
  const more = document.querySelector("#mas");

  function element(name, properties, ...children) {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  }

  /** El trozo de un texto que rodea al primer acierto, con los aciertos marcados. */
  function excerpt(text, marks) {
    const words = [...text.matchAll(/[\p{L}\p{N}_]+/gu)];
    const hits = words.filter(([word]) => stems(word).some((one) => marks.has(one)));
    const middle = hits[0]?.index ?? 0;
    const start = text.lastIndexOf(" ", Math.max(0, middle - AROUND)) + 1;
    const end = text.indexOf(" ", middle + 2 * AROUND);
    const stop = end < 0 ? text.length : end;
    const parts = [start ? "… " : ""];
    let done = start;
    for (const hit of hits) {
      if (hit.index < done || hit.index + hit[0].length > stop) continue;
      parts.push(text.slice(done, hit.index));
      done = hit.index + hit[0].length;
      parts.push(element("mark", {}, text.slice(hit.index, done)));
    }
    return [...parts, text.slice(done, stop), stop < text.length ? " …" : ""];
  }

  /** Un resultado: el apartado, la página en que está y, cuando llega su texto, el trozo que responde. */
  function show({ section }, marks) {
    const item = element("li", {}, element("a", { className: "resultado", href: urlOf(section) }, section.title));
    const first = sections[section.id - section.place];
    if (section.place) item.append(element("p", { className: "lugar" }, first.title));
    const line = element("p", {});
    item.append(line);
    list.append(item);
    bring(`t-${section.page}`).then(() => {
      const text = index.texts[section.page]?.[section.place] ?? "";
      if (line.isConnected) line.replaceChildren(...excerpt(text, marks));
    });
  }

  let pending = [];
  let marks = new Set();
  let turn = 0;

  function showMore() {
    for (const one of pending.splice(0, PAGE_SIZE)) show(one, marks);
    more.hidden = !pending.length;
  }

  function showAnswer(found) {
    pending = [...found.ranked];
    marks = found.marks;
    list.replaceChildren();
    showMore();
  }

  function say(query, many) {
    if (!query) status.textContent = "";
    else if (many) status.textContent = `${many === 1 ? "Un apartado" : `${many} apartados`} sobre «${query}».`;
    else status.textContent = `Nada sobre «${query}». Prueba con menos palabras o mira el glosario.`;
  }

  async function search() {
    const query = input.value.trim();
    const mine = ++turn;
    // Primero, lo que dicen los títulos; enseguida, lo que dice todo.
    const early = answer(query);
    if (early.ranked.length || !query) showAnswer(early);
    const found = query ? await ask(query) : early;
    if (mine !== turn) return;
    if (query) showAnswer(found);
    say(query, found.ranked.length);
  }

  let waiting;
  /** La dirección dice lo que se busca, para poder volver o compartirla. */
  function remember() {
    const query = input.value.trim();
    const address = new URL(location.href);
    if (query) address.searchParams.set("q", query);
    else address.searchParams.delete("q");
    history.replaceState(null, "", address);
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

  input.addEventListener("input", () => {
    search();
    clearTimeout(waiting);
    waiting = setTimeout(remember, 250);
  });
  document.querySelector("#buscador").addEventListener("submit", (event) => {
    event.preventDefault();
    remember();
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
