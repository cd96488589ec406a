// Lines over time as SVG, with a sentence and a table for those who do not see them.
import { html, svg, nothing } from './lit-html.js';
import { absolute, clock, number } from './format.js';

const WIDTH = 720;
const HEIGHT = 140;
const LEFT = 44;
const BOTTOM = 18;

/** Up to a number that can be read: 1, 2 or 5 and zeros. */
function round(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map(times => times * unit).find(step => step >= value);
}

/**
 * @param {string} what what is drawn, for the caption
 * @param {string[]} times
 * @param {{name: string, kind: string, values: number[]}[]} series kind: the class that gives it its colour and pattern
 * @param {{bound?: number}} more
 */
export function chart(what, times, series, more = {}) {
  if (!times.length) return html`<p class="quiet">No history yet.</p>`;
  if (times.length < 2) return html`<p class="quiet">The history has only begun: there is a chart in two minutes.</p>`;
  const most = round(Math.max(1, more.bound ?? 0, ...series.flatMap(line => line.values)));
  const x = i => LEFT + (i * (WIDTH - LEFT - 4)) / times.length;
  const y = value => 6 + (HEIGHT - BOTTOM - 6) * (1 - value / most);
  // A value is that of a whole minute: a step, and no slope between two.
  const line = values => values.map((value, i) => `${i ? `H${x(i).toFixed(1)}V` : `M${x(i).toFixed(1)} `}${y(value).toFixed(1)}`).join('') + `H${x(values.length).toFixed(1)}`;
  const last = times.length - 1;
  const summary = `${what}, ${clock(times[0])} to ${clock(times[last])}: ${series.map(each => `${each.name} ${number(each.values[last])} at the end, ${number(Math.max(...each.values))} at most`).join('; ')}.`;
  return html`<figure class="chart">
    <figcaption>${what}${series.map(each => html` <span class="key ${each.kind}">${each.name}</span>`)}</figcaption>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${summary}>
      ${[0, 0.5, 1].map(part => svg`<line class="grid" x1=${LEFT} x2=${WIDTH} y1=${y(most * part)} y2=${y(most * part)}/>
        <text x=${LEFT - 6} y=${y(most * part) + 4} text-anchor="end">${number(Math.round(most * part))}</text>`)}
      ${[...new Set([0, 0.25, 0.5, 0.75, 1].map(part => Math.round(last * part)))].map(i => svg`<text x=${x(i)} y=${HEIGHT - 3} text-anchor=${i === 0 ? 'start' : i === last ? 'end' : 'middle'}>${clock(times[i]).slice(0, 5)}</text>`)}
      ${series.map(each => svg`<path class="line ${each.kind}" d=${line(each.values)}/>`)}
    </svg>
    <details><summary>Table</summary><div class="scroll"><table><caption class="hidden">${what}</caption>
      <thead><tr><th scope="col">Time</th>${series.map(each => html`<th scope="col" class="n">${each.name}</th>`)}</tr></thead>
      <tbody>${times.map((time, i) => (i % Math.ceil(times.length / 60) ? nothing : html`<tr><th scope="row">${absolute(time)}</th>${series.map(each => html`<td class="n">${number(each.values[i])}</td>`)}</tr>`))}</tbody>
    </table></div></details></figure>`;
}

/** Of the answer of stats/history. */
export function flow(what, answer) {
  const since = answer?.json?.complete_since ?? '';
  // Before this, the gateway did not count.
  const points = (answer?.json?.data ?? []).filter(point => Date.parse(point.timestamp) >= Date.parse(since) - 60000);
  const of = name => points.map(point => point[name]);
  return chart(what, points.map(point => point.timestamp), [
    { name: 'in', kind: 'in', values: of('enqueued') },
    { name: 'done', kind: 'done', values: of('completed') },
    { name: 'failed runs', kind: 'failed', values: of('failed') }]);
}
