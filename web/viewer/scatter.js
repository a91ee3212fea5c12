// Marks of runs by any two numbers, each with its intervals; a mark is a link to its run.

const kBox = {
  left: 64,
  right: 610,
  top: 42,
  bottom: 340
},
      kWide = 760, kHigh = 388;
const kLetters = 6.4;  // about how wide a letter of a label is

const numberOf = (of) => (typeof of === 'number' ? of : of?.value);
const ends = (of) => (typeof of === 'number' ? [of, of] : [of.low ?? of.value, of.high ?? of.value]);

// From 0 to 1 where all is inside; otherwise what the intervals need, a little more at both ends.
function scaleOf(d3, marks, side, range) {
  const all = marks.flatMap((mark) => ends(mark[side]));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const scale = d3.scaleLinear().range(range);
  return low >= 0 && high <= 1 ? scale.domain([0, 1]) : scale.domain([low, high === low ? low + 1 : high]).nice();
}

// Labels that would lie on each other move down until they do not.
function apart(labels) {
  const done = [];
  for (const label of labels.sort((a, b) => a.y - b.y)) {
    const hit = () => done.find(
        (other) => Math.abs(other.y - label.y) < 12 && label.x < other.x + other.words.length * kLetters &&
            other.x < label.x + label.words.length * kLetters);
    for (let other = hit(); other; other = hit()) label.y = other.y + 12;
    done.push(label);
  }
  return done;
}

function bar(marks, at, side) {
  const lines =
      marks.filter((mark) => typeof mark[side] !== 'number' && mark[side].low !== null && mark[side].low !== undefined)
          .append('line')
          .attr('class', 'interval');
  const [along, across] = side === 'x' ? ['x', 'y'] : ['y', 'x'];
  lines.attr(`${along}1`, (mark) => at[along](ends(mark[along])[0]))
      .attr(`${along}2`, (mark) => at[along](ends(mark[along])[1]))
      .attr(`${across}1`, (mark) => at[across](numberOf(mark[across])))
      .attr(`${across}2`, (mark) => at[across](numberOf(mark[across])));
}

// marks: [{run, x, y, control, words}], x and y values with intervals or plain numbers. open(run): a mark was chosen.
export function drawScatter(place, {x, y, marks}, open) {
  const d3 = globalThis.d3;
  const svg = d3.select(place)
                  .append('svg')
                  .attr('viewBox', `0 0 ${kWide} ${kHigh}`)
                  .attr('role', 'group')
                  .attr('aria-label', `${y} against ${x}`);
  const at = {x: scaleOf(d3, marks, 'x', [kBox.left, kBox.right]), y: scaleOf(d3, marks, 'y', [kBox.bottom, kBox.top])};
  svg.append('g')
      .attr('class', 'axis')
      .attr('transform', `translate(0,${kBox.bottom})`)
      .call(d3.axisBottom(at.x).ticks(6).tickSizeInner(kBox.top - kBox.bottom).tickPadding(8));
  svg.append('g')
      .attr('class', 'axis')
      .attr('transform', `translate(${kBox.left},0)`)
      .call(d3.axisLeft(at.y).ticks(6).tickSizeInner(kBox.left - kBox.right).tickPadding(8));
  svg.append('text')
      .attr('class', 'name')
      .attr('x', kBox.right)
      .attr('y', kBox.bottom + 38)
      .attr('text-anchor', 'end')
      .text(x);
  svg.append('text').attr('class', 'name').attr('x', 0).attr('y', 12).text(y);
  const groups = svg.append('g')
                     .selectAll('g')
                     .data(marks)
                     .join('g')
                     .attr('class', (mark) => (mark.control ? 'control' : 'mark best'))
                     .attr('tabindex', 0)
                     .attr('role', 'link')
                     .attr('aria-label', (mark) => mark.words)
                     .on('click', (mark) => open(mark.run))
                     .on('keydown', (mark) => {
                       if (d3.event.key === 'Enter') open(mark.run);
                     });
  groups.append('title').text((mark) => mark.words);
  bar(groups, at, 'x');
  bar(groups, at, 'y');
  groups.append('circle')
      .attr('r', 5)
      .attr('cx', (mark) => at.x(numberOf(mark.x)))
      .attr('cy', (mark) => at.y(numberOf(mark.y)));
  const labels =
      apart(marks.map((mark) => ({words: mark.run, x: at.x(numberOf(mark.x)) + 9, y: at.y(numberOf(mark.y)) - 7})));
  svg.append('g')
      .selectAll('text')
      .data(labels)
      .join('text')
      .attr('class', 'label')
      .attr('x', (label) => label.x)
      .attr('y', (label) => label.y)
      .text((label) => label.words);
}
