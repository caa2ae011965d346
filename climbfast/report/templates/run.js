"use strict";

// The table of targets of a run, and the part of each target. Texts of the data become text nodes only.
(() => {
  const ROWS_OF_A_PAGE = 25;
  const MOST_IN_PICTURE = 14; // boxes of one role
  const data = JSON.parse(document.getElementById("run-data").textContent);
  const hasBits = data.test === "sci";
  const hasBitsPerRow = data.test === "cmi";
  const hasP = data.test === "g2" || data.test === "x2";

  // ---- Words

  const oneDigit = new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const threeDigits = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });
  const whole = new Intl.NumberFormat("en-US");
  const PLURALS = { child: "children" };

  const nameOf = (column) => data.names[column];
  const bits = (number) => `${oneDigit.format(number)}\u00a0bits`;
  const strengthText = (number) => {
    if (hasP) return `p = ${powerOfTen(Math.log10(data.alpha ?? 0.01) - number)}`;
    return hasBits ? bits(number) : `${threeDigits.format(number)}${hasBitsPerRow ? " bits per row" : ""}`;
  };
  const percent = (share) => `${Math.round(100 * share)}\u00a0%`;
  const roleWord = (role) => (role === "undecided" && !data.directed ? "neighbor" : role);

  // 0.031, or 2·10⁻⁷
  function powerOfTen(log10) {
    if (log10 >= -3) return (10 ** log10).toPrecision(2);
    let exponent = Math.floor(log10);
    let digit = Math.round(10 ** (log10 - exponent));
    if (digit === 10) [digit, exponent] = [1, exponent + 1];
    const raised = [...String(exponent)].map((each) => (each === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[each]));
    return `${digit}·10${raised.join("")}`;
  }

  const withArticle = (role) => (role === "undecided" ? role : `a ${role}`);

  function counted(number, word) {
    const words = number === 1 ? word : PLURALS[word] ?? `${word}s`;
    return `${whole.format(number)} ${words}`;
  }

  function joined(parts) {
    return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
  }

  // ---- Elements

  function filled(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
    return element;
  }

  const html = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
  const svg = (tag, attributes = {}, ...children) =>
    filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

  // ---- Targets

  const targetOfColumn = new Map(data.targets.map((target, place) => [target.column, place]));
  const columnOfName = new Map(data.names.map((name, column) => [name, column]));
  const searchable = (text) => text.normalize("NFKC").toLowerCase();
  const searchedNames = data.names.map(searchable);

  const fragmentOf = (column) => `#target=${encodeURIComponent(nameOf(column))}`;

  function link(column, attributes = {}) {
    if (!targetOfColumn.has(column)) return html("span", { class: "name" }, nameOf(column));
    return html("a", { href: fragmentOf(column), class: "name", ...attributes }, nameOf(column));
  }

  function links(columns) {
    return columns.flatMap((column, place) => {
      const before = place === 0 ? "" : place === columns.length - 1 ? " and " : ", ";
      return [before, link(column)];
    });
  }

  function membersOf(target) {
    return (target.members ?? []).map((fields) => {
      const member = Object.fromEntries(data.memberFields.map((name, place) => [name, fields[place] ?? null]));
      return { ...member, role: data.roles[member.role] };
    });
  }

  // Those of one role, the strongest first.
  function ofRole(members, role) {
    return members.filter((member) => member.role === role)
      .sort((a, b) => (b.strength ?? 0) - (a.strength ?? 0) || a.column - b.column);
  }

  function rowOf(target) {
    const members = target.members ?? [];
    const numbers = data.roles.map((_, role) => members.filter((member) => member[1] === role).length);
    const strengths = members.filter((member) => data.roles[member[1]] !== "spouse").map((member) => member[2] ?? 0);
    return {
      target,
      name: target.column,
      ...Object.fromEntries(data.roles.map((role, place) => [role, numbers[place]])),
      strongest: strengths.length ? Math.max(...strengths) : null,
      unexplained: (target.unexplained ?? []).length,
      members: members.length,
    };
  }

  const rows = data.targets.map(rowOf);

  // ---- The table

  function unitOfStrongest() {
    if (hasP) return " (−log₁₀ p)";
    return hasBits ? " (bits)" : hasBitsPerRow ? " (bits per row)" : "";
  }

  const headings = [
    { key: "name", text: "Target" },
    ...(data.directed ? [{ key: "parent", text: "Parents" }, { key: "child", text: "Children" }] : []),
    { key: "undecided", text: data.directed ? "Undecided" : "Neighbors" },
    { key: "spouse", text: "Spouses" },
    { key: "strongest", text: `Strongest${unitOfStrongest()}` },
    { key: "unexplained", text: "Unexplained" },
    { key: "members", text: "Members" },
  ];
  const view = { query: "", key: "name", descending: false, first: 0, shown: rows };

  const byId = (id) => document.getElementById(id);
  const [overview, part, search, table, status, pages] = [
    "overview", "part", "search", "targets", "status", "pages",
  ].map(byId);

  function compare(a, b) {
    const [x, y] = [a[view.key] ?? -Infinity, b[view.key] ?? -Infinity];
    const order = x === y ? 0 : x < y ? -1 : 1;
    return (view.descending ? -order : order) || a.name - b.name;
  }

  // 0: the name is what is searched; 1: it contains that; 2: the name of a member does; null: neither.
  function closeness(row, matching, query) {
    if (matching[row.name]) return searchedNames[row.name] === query ? 0 : 1;
    return (row.target.members ?? []).some((member) => matching[member[0]]) ? 2 : null;
  }

  function choose() {
    const query = searchable(view.query.trim());
    const ordered = [...rows].sort(compare);
    view.first = 0;
    view.matching = null;
    view.shown = ordered;
    if (!query) return;
    view.matching = searchedNames.map((name) => name.includes(query));
    const groups = [[], [], []];
    for (const row of ordered) {
      const group = closeness(row, view.matching, query);
      if (group !== null) groups[group].push(row);
    }
    view.shown = groups.flat();
  }

  function drawHead() {
    const cells = headings.map(({ key, text }) => {
      const order = key !== view.key ? "none" : view.descending ? "descending" : "ascending";
      const arrow = { none: "", descending: "▼", ascending: "▲" }[order];
      const button = html("button", { type: "button", "data-key": key }, text,
        html("span", { class: "arrow", "aria-hidden": "true" }, arrow));
      return html("th", { scope: "col", class: cellClass(key), "aria-sort": order }, button);
    });
    table.tHead.replaceChildren(html("tr", {}, cells));
  }

  const cellClass = (key) => (key === "name" || key === "members" ? key : `number ${key}`);

  function memberNames(row) {
    const columns = (row.target.members ?? []).map((member) => member[0]);
    const first = view.matching ? columns.filter((column) => view.matching[column]) : [];
    const others = columns.filter((column) => !first.includes(column));
    const names = [...first, ...others].map((column) =>
      html(first.includes(column) ? "mark" : "span", {}, nameOf(column)));
    return names.flatMap((name, place) => (place ? [", ", name] : [name]));
  }

  function cellOf(row, key) {
    if (key === "name") return html("th", { scope: "row", class: "name" }, link(row.name));
    if (key === "members") return html("td", { class: "members" }, memberNames(row));
    const value = row[key];
    const text = value === null ? "–" : key !== "strongest" ? whole.format(value) : strongestText(value);
    return html("td", { class: `${cellClass(key)}${value ? "" : " zero"}` }, text);
  }

  function strongestText(value) {
    if (hasP) return oneDigit.format(value - Math.log10(data.alpha ?? 0.01));
    return (hasBits ? oneDigit : threeDigits).format(value);
  }

  function drawRows() {
    const shown = view.shown.slice(view.first, view.first + ROWS_OF_A_PAGE);
    const drawn = shown.map((row) =>
      html("tr", { "data-target": row.name }, headings.map(({ key }) => cellOf(row, key))));
    table.tBodies[0].replaceChildren(...drawn);
    const number = view.shown.length;
    status.textContent = view.query.trim()
      ? `${whole.format(number)} of ${counted(rows.length, "target")}` : counted(number, "target");
    const last = Math.min(view.first + ROWS_OF_A_PAGE, number);
    byId("place").textContent = number
      ? `${whole.format(view.first + 1)}–${whole.format(last)} of ${whole.format(number)}`
      : "no target has this in its name, or in the name of a member";
    pages.querySelectorAll("button").forEach((button) => {
      button.disabled = firstOfPage(button.dataset.page) === view.first;
      button.hidden = number <= ROWS_OF_A_PAGE;
    });
  }

  function firstOfPage(page) {
    const last = Math.max(0, Math.ceil(view.shown.length / ROWS_OF_A_PAGE) - 1) * ROWS_OF_A_PAGE;
    const step = { first: -Infinity, previous: -ROWS_OF_A_PAGE, next: ROWS_OF_A_PAGE, last: Infinity }[page];
    return Math.min(last, Math.max(0, view.first + step));
  }

  function turn(page) {
    view.first = firstOfPage(page);
    drawRows();
  }

  function sortBy(key) {
    view.descending = key === view.key ? !view.descending : key !== "name";
    view.key = key;
    choose();
    drawHead();
    drawRows();
    table.tHead.querySelector(`[data-key="${key}"]`).focus();
  }

  search.addEventListener("input", () => {
    view.query = search.value;
    choose();
    drawRows();
  });
  table.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-key]");
    if (button) return sortBy(button.dataset.key);
    const row = event.target.closest("tr[data-target]");
    const selecting = String(window.getSelection()) !== "";
    if (row && !event.target.closest("a") && !selecting) window.location.hash = fragmentOf(Number(row.dataset.target));
  });
  // Arrows go from row to row, and from the search into the rows.
  overview.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !(event.target === search || event.target.closest("#targets tbody"))) return;
    const all = [...table.querySelectorAll("tbody th a")];
    const next = all.indexOf(event.target) + step;
    if (event.target === search && step < 0) return;
    event.preventDefault();
    (next < 0 ? search : all[next] ?? event.target).focus();
  });
  pages.addEventListener("click", (event) => {
    if (event.target.dataset.page) turn(event.target.dataset.page);
  });

  // ---- Bars: the shares of the levels of a target in the rows of each level of a member

  const tables = new Map((data.tables ?? []).map(([x, y, counts]) => [`${x} ${y}`, counts]));

  // The numbers of rows by the levels of one column and, within them, of another; null if the page has no such table.
  function tableOf(column, target) {
    const [first, second] = column < target ? [column, target] : [target, column];
    const counts = tables.get(`${first} ${second}`);
    if (!counts) return null;
    const width = data.levels[second].length;
    const at = (x, y) => counts[column === first ? x * width + y : y * width + x];
    return data.levels[column].map((_, x) => data.levels[target].map((_level, y) => at(x, y)));
  }

  function barsOf(member, target) {
    const table = tableOf(member.column, target.column);
    if (!table) return null;
    const levels = data.levels[target.column];
    const body = table.map((counts, level) => {
      const rowsOfLevel = counts.reduce((sum, count) => sum + count, 0);
      return html("tr", {},
        html("th", { scope: "row" }, data.levels[member.column][level]),
        html("td", {}, barOf(counts, rowsOfLevel, levels)),
        html("td", { class: "number quiet" }, counted(rowsOfLevel, "row")));
    });
    return html("table", { class: "bars" }, html("tbody", {}, body));
  }

  function barOf(counts, sum, levels) {
    const shares = counts.map((count) => (sum ? count / sum : 0));
    const segments = shares.map((share, level) => {
      const words = `${levels[level]}: ${percent(share)}, ${counted(counts[level], "row")}`;
      const text = share > 0.08 ? percent(share) : "";
      const segment = html("span", { class: `level-${level}`, title: words }, text);
      segment.style.width = `${100 * share}%`;
      return share ? segment : null;
    });
    const words = levels.map((text, level) => `${text}: ${percent(shares[level])}`).join(", ");
    return html("div", { class: "bar", role: "img", "aria-label": words }, segments);
  }

  function legendOf(target) {
    const items = data.levels[target.column].map((text, level) =>
      html("li", {}, html("span", { class: `key level-${level}` }), text));
    return [
      html("p", { class: "quiet" }, "Bars: the shares of the levels of ",
        html("span", { class: "name" }, nameOf(target.column)), " in the rows of each level of a member."),
      html("ul", { class: "legend" }, items),
    ];
  }

  // ---- The part of a target

  const HEADINGS = {
    parent: ["Parents", "direct causes, as far as the table shows"],
    child: ["Children", "direct effects, as far as the table shows"],
    undecided: data.directed ? ["Undecided", "causes or effects; the table does not show which"]
      : ["Neighbors", "direct causes or effects; this method does not tell which"],
    spouse: ["Spouses", "other causes of a common effect"],
  };

  function memberCount(number, role) {
    const undecided = role === "undecided";
    return counted(number, undecided ? (data.directed ? "undecided neighbor" : "neighbor") : role);
  }

  function countsText(members) {
    const numbers = data.roles.map((role) => [members.filter((member) => member.role === role).length, role]);
    return joined(numbers.filter(([number]) => number).map(([number, role]) => memberCount(number, role)));
  }

  // What shows that a neighbor is a parent or a child.
  function direction(member, target) {
    if (member.known) return ["Known beforehand.", against(member)];
    if (data.best) return directionInGraph(member);
    if (member.evidence !== null) return directionSeen(member, target);
    if (member.margin === null) return [];
    if (member.role === "undecided") {
      return [`Weighed, but one side is only ${bits(member.margin)} better than the other.`];
    }
    return [`Direction weighed: ${bits(member.margin)} worse as ${member.role === "parent" ? "a child" : "a parent"}.`];
  }

  function directionInGraph(member) {
    if (member.margin !== null) return [`The score chose this direction; it is ${bits(member.margin)} better.`];
    return member.role === "undecided" ? [] : ["All graphs that describe the table as well have this direction."];
  }

  function directionSeen(member, target) {
    const seenBy = member.seenBy ?? [];
    if (!seenBy.length) return [`Direction seen: ${bits(member.evidence)}.`];
    const [parent, child] = member.role === "child" ? [target, member] : [member, target];
    const become = seenBy.length === 1 ? " becomes dependent on " : " become dependent on ";
    return ["Direction seen: ", links(seenBy), become, link(parent.column), " once ", link(child.column),
      ` is known (${bits(member.evidence)}).`];
  }

  function against(member) {
    if (member.contradicted === null) return "";
    const by = member.contradictedBy ?? [];
    if (member.contradicted > 0) {
      return [" The table speaks against it: ", links(by), ` (${bits(member.contradicted)}).`];
    }
    return [" In the table it is independent", by.length ? [" given ", links(by)] : "", "."];
  }

  function spouseText(member) {
    const children = member.commonChildren ?? [];
    if (!children.length) return [];
    const number = !data.directed ? "Found through " : children.length === 1 ? "Common child: " : "Common children: ";
    return [number, links(children), "."];
  }

  function frequencyText(member) {
    if (member.frequency === null) return "";
    const found = ` Found in ${percent(member.frequency)} of the replicates`;
    if (member.frequencyOfRole === null) return `${found}.`;
    return `${found}, as ${withArticle(roleWord(member.role))} in ${percent(member.frequencyOfRole)}.`;
  }

  function strengthBar(member, most) {
    if (member.strength === null) return null;
    const width = `${Math.max(1, Math.round((100 * Math.max(0, member.strength)) / (most || 1)))}%`;
    const bar = html("span", { class: "strength", "aria-hidden": "true" }, html("span", {}));
    bar.firstChild.style.width = width;
    return [bar, html("span", { class: "nowrap" }, strengthText(member.strength))];
  }

  function memberItem(member, target, most) {
    const why = member.role === "spouse" ? spouseText(member) : direction(member, target);
    const words = [why, frequencyText(member)].flat(Infinity).filter(Boolean);
    return html("li", {},
      html("div", { class: "head" }, link(member.column), strengthBar(member, most)),
      words.length ? html("p", { class: "quiet" }, words) : null,
      member.role === "spouse" ? null : barsOf(member, target));
  }

  function sectionOf(role, members, target, most) {
    const chosen = ofRole(members, role);
    if (!chosen.length) return null;
    const [heading, meaning] = HEADINGS[role];
    return html("section", { class: `role-${role}` },
      html("h3", {}, heading, " ", html("span", { class: "quiet" }, meaning)),
      html("ul", { class: "members" }, chosen.map((member) => memberItem(member, target, most))));
  }

  function unexplainedSection(target) {
    if (!target.unexplained) return null;
    const items = target.unexplained.map(([column, number]) =>
      html("li", {}, html("div", { class: "head" }, link(column), html("span", { class: "nowrap" }, bits(number)))));
    return html("section", {},
      html("h3", {}, "Not explained ", html("span", { class: "quiet" },
        "columns outside that still depend on it given all members: the blanket is incomplete by them")),
      html("ul", { class: "members" }, items));
  }

  function notes(target) {
    const found = [];
    if (target.copies) found.push(["Equal to it, up to the names of levels: ", links(target.copies), "."]);
    if (target.unexplained) {
      const number = target.unexplained.length;
      found.push([`Incomplete: ${counted(number, "column")} outside still ${number === 1 ? "depends" : "depend"} on it, `,
        "see below."]);
    }
    if (target.determinedBy) {
      found.push([`${nameOf(target.column)} is nearly a function of `, links(target.determinedBy),
        "; given these nothing more can be seen."]);
    }
    if (target.rows > 0 && target.rows < data.fewestRows && !target.unexplained) {
      found.push(["Whether further columns depend on it was not checked: so many members leave ",
        `${oneDigit.format(target.rows)} rows for each of their configurations, too few to see it.`]);
    }
    if (target.gap) {
      found.push(["The division into parents and children is not proved to be the best one; another one may be ",
        `better by up to ${bits(target.gap)}.`]);
    }
    return found.map((note) => html("p", { class: "warning" }, note));
  }

  function drawPart(target) {
    const name = nameOf(target.column);
    const members = membersOf(target);
    const most = Math.max(0, ...members.map((member) => member.strength ?? 0));
    const lead = members.length ? [`Its Markov blanket: ${countsText(members)}.`]
      : target.unexplained ? ["Its Markov blanket is empty, though columns depend on it."]
        : ["No other column was found to depend on it beyond chance."];
    const heading = html("h2", { tabindex: "-1" }, name);
    part.replaceChildren(
      html("p", { class: "way" }, html("a", { href: "#", id: "all" }, "← All targets"), neighborsInTable(target)),
      heading,
      html("p", { class: "lead" }, lead),
      ...notes(target),
      members.length
        ? html("figure", { class: "picture blanket" }, picture(target, members, most), caption(members)) : "",
      ...(members.some((member) => tableOf(member.column, target.column)) ? legendOf(target) : []),
      ...data.roles.map((role) => sectionOf(role, members, target, most)).filter(Boolean),
      ...[unexplainedSection(target)].filter(Boolean),
    );
    heading.focus({ preventScroll: true });
    document.title = `${name} – ${title}`;
  }

  // Links to the targets before and after this one in the table as it is sorted and searched.
  function neighborsInTable(target) {
    const place = view.shown.findIndex((row) => row.target === target);
    if (place < 0) return [];
    const [before, after] = [view.shown[place - 1], view.shown[place + 1]];
    return html("span", { class: "beside" },
      before ? html("a", { href: fragmentOf(before.name), rel: "prev" }, `‹ ${nameOf(before.name)}`) : null,
      after ? html("a", { href: fragmentOf(after.name), rel: "next" }, `${nameOf(after.name)} ›`) : null);
  }

  // ---- The picture of a target: parents left, children right, spouses below it

  const WIDE = { width: 168, height: 30, step: 42, across: 250, margin: 12 };
  const NARROW = { width: 112, height: 30, step: 42, across: 142, margin: 3 };
  const isNarrow = window.matchMedia("(max-width: 40rem)");
  let shape = WIDE;

  function picture(target, members, most) {
    shape = isNarrow.matches ? NARROW : WIDE;
    const limited = (list) => (list.length <= MOST_IN_PICTURE ? list : list.slice(0, MOST_IN_PICTURE - 1));
    const [parents, undecided, right, spouses] = ["parent", "undecided", "child", "spouse"]
      .map((role) => limited(ofRole(members, role)));
    const left = [...parents, ...undecided];
    const below = byCommonChildren(spouses, [...left, ...right]);
    const { at, width, height } = placed(target, left, right, below);
    const line = (from, to, kind, strength) => edgeBetween(at.get(from), at.get(to), kind, strength, most);
    const ofSpouse = (spouse) => (spouse.commonChildren ?? []).filter((child) => at.has(child))
      .map((child) => line(spouse.column, child, "spouse", null));
    const label = `${nameOf(target.column)} and the members of its Markov blanket`;
    return svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label },
      heads(),
      below.map(ofSpouse),
      parents.map((member) => line(member.column, target.column, "directed", member.strength)),
      undecided.map((member) => line(member.column, target.column, "line", member.strength)),
      right.map((member) => line(target.column, member.column, "directed", member.strength)),
      [...left, ...right, ...below].map((member) => box(member.column, at.get(member.column), member.role)),
      box(target.column, at.get(target.column), "target"));
  }

  // The upper left corner of every box, and the size of the picture. The target is beside the middle of its neighbors;
  // spouses are below it.
  function placed(target, left, right, below) {
    const { step, across, margin } = shape;
    const last = Math.max(left.length, right.length, 1) - 1;
    const middle = (last / 2) * step;
    const firstSpouse = middle + 1.5 * step;
    const lowest = Math.max(last * step, below.length ? firstSpouse + (below.length - 1) * step : 0);
    const ofTarget = margin + (left.length ? across : 0);
    const at = new Map([[target.column, { x: ofTarget, y: margin + middle }]]);
    const spread = (list, x, first) => list.forEach((member, place) =>
      at.set(member.column, { x, y: margin + first + place * step }));
    spread(left, margin, middle - ((left.length - 1) / 2) * step);
    spread(right, ofTarget + across, middle - ((right.length - 1) / 2) * step);
    spread(below, ofTarget, firstSpouse);
    const width = ofTarget + (right.length ? across : 0) + shape.width + margin;
    return { at, width, height: lowest + shape.height + 2 * margin };
  }

  // Spouses in the order of their children, so that few lines cross.
  function byCommonChildren(spouses, neighbors) {
    const place = new Map(neighbors.map((member, number) => [member.column, number]));
    const mean = new Map(spouses.map((spouse) => {
      const found = (spouse.commonChildren ?? []).filter((child) => place.has(child)).map((child) => place.get(child));
      return [spouse, found.length ? found.reduce((sum, number) => sum + number, 0) / found.length : neighbors.length];
    }));
    return [...spouses].sort((a, b) => mean.get(a) - mean.get(b));
  }

  function heads() {
    const size = { viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 9, markerHeight: 9 };
    const head = (id) => svg("marker", { id, ...size, markerUnits: "userSpaceOnUse", orient: "auto" },
      svg("path", { d: "M0,0.5 L8,4 L0,7.5 z" }));
    return svg("defs", {}, head("head-of-edge"), head("head-of-spouse"));
  }

  function edgeBetween(from, to, kind, strength, most) {
    const [middle, toRight] = [shape.height / 2, from.x < to.x];
    const start = { x: from.x + (toRight ? shape.width : 0), y: from.y + middle };
    const end = { x: to.x + (toRight ? 0 : shape.width), y: to.y + middle };
    const bend = (end.x - start.x) / 2;
    const path = `M${start.x},${start.y} C${start.x + bend},${start.y} ${end.x - bend},${end.y} ${end.x},${end.y}`;
    const width = strength === null || !most ? 1.4 : 1.2 + 2.8 * Math.sqrt(Math.max(0, strength) / most);
    const marker = kind === "line" || !data.directed ? null : `url(#head-of-${kind === "spouse" ? "spouse" : "edge"})`;
    return svg("path", { d: path, class: `edge ${kind}`, "stroke-width": width.toFixed(1), "marker-end": marker });
  }

  const measure = document.createElement("canvas").getContext("2d");

  // The text as it fits into a box, with an ellipsis where it is cut.
  function cut(text, width, weight) {
    measure.font = `${weight} 13px system-ui, sans-serif`;
    if (measure.measureText(text).width <= width) return text;
    const characters = [...text];
    let [fits, longer] = [0, characters.length];
    while (longer - fits > 1) {
      const half = (fits + longer) >> 1;
      if (measure.measureText(`${characters.slice(0, half).join("")}…`).width <= width) fits = half;
      else longer = half;
    }
    return `${characters.slice(0, fits).join("")}…`;
  }

  function box(column, { x, y }, role) {
    const { width, height } = shape;
    const center = { x: x + width / 2, y: y + height / 2, "text-anchor": "middle", "dominant-baseline": "central" };
    const inside = [
      svg("title", {}, nameOf(column)),
      svg("rect", { x, y, width, height, rx: 6 }),
      svg("text", center, cut(nameOf(column), width - 16, role === "target" ? 600 : 400)),
    ];
    const isLink = role !== "target" && targetOfColumn.has(column);
    return svg(isLink ? "a" : "g", { class: `box ${role}`, href: isLink ? fragmentOf(column) : null }, inside);
  }

  function caption(members) {
    const numbers = data.roles.map((role) => ofRole(members, role).length);
    const hidden = numbers.filter((number) => number > MOST_IN_PICTURE)
      .reduce((sum, number) => sum + number - MOST_IN_PICTURE + 1, 0);
    const words = ["Wider lines are stronger."];
    if (members.some((member) => member.role === "spouse")) words.push("Dashed: other causes of a common effect.");
    if (hidden) words.push(`${whole.format(hidden)} more below.`);
    return html("figcaption", {}, words.join(" "));
  }

  // ---- The address: #target=NAME opens the part of a target

  const title = document.title;
  const left = { scrolled: 0, target: null }; // where the reader left the table
  window.history.scrollRestoration = "manual";

  function targetInAddress() {
    const [, text] = window.location.hash.match(/^#target=(.*)$/s) ?? [];
    if (text === undefined) return null;
    let name = text;
    try { name = decodeURIComponent(text); } catch { /* a stray % is itself */ }
    return data.targets[targetOfColumn.get(columnOfName.get(name))] ?? null;
  }

  function follow() {
    const target = targetInAddress();
    const wasOpen = !part.hidden;
    if (target && !wasOpen) left.scrolled = window.scrollY;
    if (target) left.target = target;
    overview.hidden = target !== null;
    part.hidden = target === null;
    if (target) {
      drawPart(target);
      window.scrollTo(0, 0);
      return;
    }
    part.replaceChildren();
    document.title = title;
    if (!wasOpen) return;
    window.scrollTo(0, left.scrolled);
    table.querySelector(`tr[data-target="${left.target.column}"] a`)?.focus({ preventScroll: true });
  }

  window.addEventListener("hashchange", follow);
  choose();
  drawHead();
  drawRows();
  byId("search-targets").hidden = false;
  follow();
})();
