// Charts with D3: every mark has its interval, every chart a table below it that says the same.

const d3 = globalThis.d3;
const kWidth = 720;
const kLetter = 6.6; // about how wide a letter of a label is
const kColours = 8;
const symbols = () => [d3.symbolCircle, d3.symbolSquare, d3.symbolTriangle, d3.symbolDiamond, d3.symbolStar, d3.symbolCross, d3.symbolWye];

function canvas(place, height, label) {
  const svg = d3.select(place).append('svg').attr('viewBox', `0 0 ${kWidth} ${height}`).attr('role', 'img').attr('aria-label', label);
  svg.append('title').text(label);
  return svg;
}

const shown = (value) => (value === null || value === undefined ? '–' : d3.format('.3f')(value));
const withInterval = (of) => `${shown(of.value)}${of.low === null ? '' : ` [${shown(of.low)}, ${shown(of.high)}]`}`;

// In letters; those of East Asia are twice as wide.
const wide = (letter) => (letter > '\u2e7f' ? 2 : 1);
const lengthOf = (name) => d3.sum([...name], wide);

// A name in so many letters: the middle goes, where long names of runs are alike.
function short(name, letters) {
  if (lengthOf(name) <= letters) return name;
  const cut = (all, most) => {
    const kept = [];
    for (const letter of all) {
      most -= wide(letter);
      if (most < 0) break;
      kept.push(letter);
    }
    return kept;
  };
  const half = Math.floor((letters - 1) / 2);
  return `${cut([...name], letters - 1 - half).join('')}…${cut([...name].reverse(), half).reverse().join('')}`;
}

// A colour for each name; where there are more names than colours, another shape.
function marksOf(names) {
  const symbol = d3.symbol().size(46);
  const place = new Map(names.map((name, i) => [name, i]));
  return {
    colour: (name) => `series-${place.get(name) % kColours}`,
    shape: (name) => symbol.type(symbols()[Math.floor(place.get(name) / kColours) % symbols().length])(),
  };
}

function axes(svg, x, y, box, names) {
  svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${box.bottom})`).call(d3.axisBottom(x));
  svg.append('g').attr('class', 'axis').attr('transform', `translate(${box.left},0)`).call(d3.axisLeft(y));
  svg.append('text').attr('class', 'name').attr('x', box.right).attr('y', box.bottom + 36).attr('text-anchor', 'end').text(names.x);
  svg.append('text').attr('class', 'name').attr('x', box.left).attr('y', box.top - 26).attr('text-anchor', 'start').text(names.y);
}

// Names that would lie on each other move down until they do not.
function spread(labels) {
  const placed = [];
  for (const label of labels.sort((a, b) => a.y - b.y)) {
    for (let moved = true; moved; ) {
      moved = false;
      for (const other of placed) {
        const apart = label.x > other.x + lengthOf(other.text) * kLetter || other.x > label.x + lengthOf(label.text) * kLetter;
        if (!apart && Math.abs(label.y - other.y) < 12) {
          label.y = other.y + 12;
          moved = true;
        }
      }
    }
    placed.push(label);
  }
  return placed;
}

// Privacy against usefulness: a mark for each run, its intervals as lines, the frontier as a line.
export function drawTrade(place, { privacy, utility, runs }) {
  const all = runs.filter((run) => run.privacy && run.utility);
  if (all.length === 0) return;
  const letters = 24;
  const box = { left: 50, right: kWidth - 24 - Math.ceil(kLetter * Math.min(letters, d3.max(all, (run) => lengthOf(run.run)))), top: 40, bottom: 340 };
  const x = d3.scaleLinear([0, 1], [box.left, box.right]), y = d3.scaleLinear([0, 1], [box.bottom, box.top]);
  const labels = spread(all.map((run) => {
    const mark = { x: x(run.utility.value), y: y(run.privacy.value) };
    return { run: run.run, text: short(run.run, letters), mark, x: mark.x + 8, y: mark.y - 6 };
  }));
  const height = Math.max(386, d3.max(labels, (label) => label.y) + 8);
  const svg = canvas(place, height, `${privacy} against ${utility}: ${all.map((run) => run.run).join(', ')}`);
  axes(svg, x, y, box, { x: `${utility}, more is more useful`, y: `${privacy}, more is more private` });
  const frontier = all.filter((run) => run.frontier).sort((a, b) => a.utility.value - b.utility.value);
  svg.append('path').attr('class', 'frontier')
    .attr('d', d3.line().x((run) => x(run.utility.value)).y((run) => y(run.privacy.value))(frontier));
  const marks = svg.append('g').selectAll('g').data(all).join('g').attr('class', (run) => (run.control ? 'control' : run.frontier ? 'mark best' : 'mark'));
  marks.append('title').text((run) => `${run.run}: ${privacy} ${withInterval(run.privacy)}, ${utility} ${withInterval(run.utility)}`);
  marks.filter((run) => run.utility.low !== null).append('line').attr('class', 'interval')
    .attr('x1', (run) => x(run.utility.low)).attr('x2', (run) => x(run.utility.high))
    .attr('y1', (run) => y(run.privacy.value)).attr('y2', (run) => y(run.privacy.value));
  marks.filter((run) => run.privacy.low !== null).append('line').attr('class', 'interval')
    .attr('y1', (run) => y(run.privacy.low)).attr('y2', (run) => y(run.privacy.high))
    .attr('x1', (run) => x(run.utility.value)).attr('x2', (run) => x(run.utility.value));
  marks.append('circle').attr('r', 4.5).attr('cx', (run) => x(run.utility.value)).attr('cy', (run) => y(run.privacy.value));
  const moved = labels.filter((label) => label.y - label.mark.y > 6);
  svg.append('g').selectAll('line').data(moved).join('line').attr('class', 'leader')
    .attr('x1', (label) => label.mark.x).attr('y1', (label) => label.mark.y).attr('x2', (label) => label.x - 1).attr('y2', (label) => label.y - 4);
  svg.append('g').selectAll('text').data(labels).join('text').attr('class', 'label')
    .attr('x', (label) => label.x).attr('y', (label) => label.y).text((label) => label.text)
    .append('title').text((label) => label.run);
}

// Records by how much is learned of them: a small histogram for each run, all of one scale.
export function drawDistances(place, runs) {
  if (runs.length === 0) return;
  const across = 3, width = kWidth / across, height = 130;
  const svg = canvas(place, Math.ceil(runs.length / across) * height, `records by semantic_distance: ${runs.map((run) => run.run).join(', ')}`);
  const most = d3.max(runs, (run) => d3.max(run.bins)) || 1;
  const y = d3.scaleLinear([0, most], [0, height - 55]);
  const cells = svg.selectAll('g').data(runs).join('g')
    .attr('transform', (run, i) => `translate(${(i % across) * width},${Math.floor(i / across) * height})`);
  cells.append('text').attr('class', 'label').attr('x', 10).attr('y', 16).text((run) => short(run.run, Math.floor((width - 24) / kLetter)))
    .append('title').text((run) => run.run);
  const x = d3.scaleBand(d3.range(10), [10, width - 14]).padding(0.12);
  cells.selectAll('rect').data((run) => run.bins.map((records, bin) => ({ run: run.run, records, bin }))).join('rect')
    .attr('class', 'bar').attr('x', (bar) => x(bar.bin)).attr('width', x.bandwidth())
    .attr('y', (bar) => height - 30 - y(bar.records)).attr('height', (bar) => y(bar.records))
    .append('title').text((bar) => `${bar.run}: ${bar.records} records from ${bar.bin / 10} to ${(bar.bin + 1) / 10}`);
  cells.append('g').attr('class', 'axis').attr('transform', `translate(0,${height - 30})`)
    .call(d3.axisBottom(d3.scaleLinear([0, 1], [10, width - 14])).ticks(3));
}

// The leak rate of each category in each run, the darker the more leaks; each cell says its number where it has room.
export function drawCategories(place, cells) {
  if (cells.length === 0) return;
  const runs = [...new Set(cells.map((cell) => cell.run))], names = [...new Set(cells.map((cell) => cell.category))];
  const letters = 30, line = 22;
  const left = 16 + Math.ceil(kLetter * Math.min(letters, d3.max(names, lengthOf)));
  const longest = kLetter * Math.min(letters, d3.max(runs, lengthOf));
  const steep = longest > (kWidth - 4 - left) / runs.length - 4; // names of runs do not fit side by side
  const right = kWidth - 4 - (steep ? Math.ceil(longest * 0.71) : 0), top = steep ? 24 + Math.ceil(longest * 0.71) : 24;
  const svg = canvas(place, top + names.length * line + 8, `leak rate by category: ${names.join(', ')}`);
  const x = d3.scaleBand(runs, [left, right]).padding(0.04), y = d3.scaleBand(names, [top, top + names.length * line]).padding(0.06);
  svg.append('g').selectAll('text').data(runs).join('text').attr('class', 'label').attr('text-anchor', steep ? 'start' : 'middle')
    .attr('transform', (run) => `translate(${x(run) + x.bandwidth() / 2},${top - 8})${steep ? ' rotate(-45)' : ''}`)
    .text((run) => short(run, letters)).append('title').text((run) => run);
  svg.append('g').selectAll('text').data(names).join('text').attr('class', 'label').attr('text-anchor', 'end')
    .attr('x', left - 8).attr('y', (name) => y(name) + line / 2 + 3).text((name) => short(name, letters)).append('title').text((name) => name);
  const boxes = svg.append('g').selectAll('g').data(cells).join('g');
  boxes.append('title').text((cell) => `${cell.category} in ${cell.run}: ${shown(cell.value)} of the claims leak`);
  boxes.append('rect').attr('class', 'heat').attr('x', (cell) => x(cell.run)).attr('y', (cell) => y(cell.category))
    .attr('width', x.bandwidth()).attr('height', y.bandwidth()).attr('fill-opacity', (cell) => 0.08 + 0.87 * cell.value);
  if (x.bandwidth() < 26) return;
  boxes.append('text').attr('class', (cell) => (cell.value > 0.55 ? 'cell on-dark' : 'cell')).attr('text-anchor', 'middle')
    .attr('x', (cell) => x(cell.run) + x.bandwidth() / 2).attr('y', (cell) => y(cell.category) + line / 2 + 3)
    .text((cell) => d3.format('.2f')(cell.value));
}

// Which mark is whose, as many side by side as have room. Returns how high it is.
function legend(svg, names, marks, top) {
  const letters = 30, across = 24 + kLetter * Math.min(letters, d3.max(names, lengthOf));
  const columns = Math.max(1, Math.floor((kWidth - 16) / across));
  const all = svg.append('g').selectAll('g').data(names).join('g').attr('class', marks.colour)
    .attr('transform', (name, i) => `translate(${16 + (i % columns) * across},${top + 18 * Math.floor(i / columns)})`);
  all.append('path').attr('class', 'shape').attr('d', marks.shape).attr('transform', 'translate(0,-4)');
  all.append('text').attr('class', 'label').attr('x', 9).text((name) => short(name, letters)).append('title').text((name) => name);
  return 18 * Math.ceil(names.length / columns);
}

// A number of each run under each attacker, with its interval; what number, where that is not said elsewhere; what the
// chart is of.
export function drawAttackers(place, cells, metric = '', title = 'linkage rate by attacker') {
  if (cells.length === 0) return;
  const attackers = [...new Set(cells.map((cell) => cell.attacker))], runs = [...new Set(cells.map((cell) => cell.run))];
  const letters = 46, left = 16 + Math.ceil(kLetter * Math.min(letters, d3.max(attackers, lengthOf)));
  const line = 10 + 9 * runs.length, top = 10, bottom = top + attackers.length * line;
  const svg = canvas(place, bottom, `${title}: ${attackers.join(', ')}`);
  const x = d3.scaleLinear([0, 1], [left, kWidth - 12]), of = marksOf(runs);
  const y = (cell) => top + attackers.indexOf(cell.attacker) * line + 9 + 9 * runs.indexOf(cell.run);
  svg.append('g').attr('class', 'axis').attr('transform', `translate(0,${bottom})`).call(d3.axisBottom(x).ticks(6));
  svg.append('text').attr('class', 'name').attr('x', kWidth - 12).attr('y', bottom + 34).attr('text-anchor', 'end').text(metric);
  svg.append('g').selectAll('text').data(attackers).join('text').attr('class', 'label').attr('text-anchor', 'end').attr('x', left - 10)
    .attr('y', (name) => top + attackers.indexOf(name) * line + line / 2 + 4).text((name) => short(name, letters))
    .append('title').text((name) => name);
  svg.append('g').selectAll('line').data(attackers).join('line').attr('class', 'rule').attr('x1', left).attr('x2', kWidth - 12)
    .attr('y1', (name, i) => top + i * line).attr('y2', (name, i) => top + i * line);
  const marks = svg.append('g').selectAll('g').data(cells).join('g').attr('class', (cell) => of.colour(cell.run));
  marks.append('title').text((cell) => `${cell.attacker}, ${cell.run}: ${withInterval(cell.of)}`);
  marks.filter((cell) => cell.of.low !== null).append('line').attr('class', 'interval')
    .attr('x1', (cell) => x(cell.of.low)).attr('x2', (cell) => x(cell.of.high)).attr('y1', y).attr('y2', y);
  marks.append('path').attr('class', 'shape').attr('d', (cell) => of.shape(cell.run)).attr('transform', (cell) => `translate(${x(cell.of.value)},${y(cell)})`);
  svg.attr('viewBox', `0 0 ${kWidth} ${bottom + 56 + legend(svg, runs, of, bottom + 56)}`);
}
