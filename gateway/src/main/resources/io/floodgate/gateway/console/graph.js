// A workflow as a graph: layers from left to right, workflows inside as frames, many steps that are alike as one box.
import { html, svg, nothing } from './lit-html.js';
import { duration, number, relative } from './format.js';
import { href } from './router.js';
import { now } from './store.js';

export const SIGNS = { completed: '✓', failed: '▲', active: '▶', running: '▶', pending: '○', waiting: '…', cancelled: '×', skipped: '–' };
const WIDTH = 190;
const HEIGHT = 62;
const GAP = 62;
const BETWEEN = 14;
const EDGE = 8;
const HEAD = 20;
const ORDER = ['failed', 'active', 'pending', 'waiting', 'completed', 'cancelled', 'skipped'];
const BAR = ['completed', 'failed', 'active', 'pending', 'waiting', 'cancelled', 'skipped'];

const cut = (text, most = 27) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const names = (list, total) => (total === 1 ? `step ${list[0]}` : `${number(total)} steps: ${list.slice(0, 2).join(', ')}${total > 2 ? ` and ${number(total - 2)} more` : ''}`);

/** The one reason why a step has not ended, or how it ended. */
export function reason(step) {
  const { waits } = step;
  switch (waits?.reason) {
    case 'waits_for': return waits.steps.length ? `waits for ${names(waits.steps, waits.steps_total)}` : 'waits for what is before it';
    case 'no_room': return `no room in ${waits.queue}${waits.place ? `, place ${number(waits.place)}` : ''}`;
    case 'own_line_full': return `no place in the line of ${waits.queue}`;
    case 'queue_paused': return `queue ${waits.queue} is paused`;
    case 'scheduled': return waits.until ? `for later, ${relative(waits.until)}` : 'for later';
    case 'available': return 'waits for a worker';
    case 'rate_limited': return `held back by ${waits.key ?? 'a limit'}`;
    case 'active': return `runs${waits.since ? ` for ${duration(Math.max(0, now() - Date.parse(waits.since)))}` : ''}${waits.worker_id ? ` on ${waits.worker_id}` : ''}`;
    case 'signal': return `waits for ${waits.event} with key ${waits.key}${waits.until ? `; times out ${relative(waits.until)}` : ''}`;
    case 'retryable': return waits.until ? `next attempt ${relative(waits.until)}` : 'waits for its next attempt';
    case 'log_silent': return 'its partition does not answer';
    default: return step.error ? `${step.error.code}: ${step.error.message}` : step.state === 'completed' && step.enqueued_at && step.completed_at ? `done in ${duration(Date.parse(step.completed_at) - Date.parse(step.enqueued_at))}` : step.state;
  }
}

/** All steps, callbacks of the workflow last. */
export const stepsOf = workflow => [...workflow.steps, ...Object.values(workflow.callbacks)];

/** What is drawn: a tree of boxes and frames, each in its layers, and which of them need which. */
function model(workflow, { layers, bundles }) {
  const steps = stepsOf(workflow);
  const layerOf = new Map(layers.flatMap((ids, i) => ids.map(id => [id, i])));
  const boxes = new Map();
  for (const bundle of bundles) {
    const first = steps.find(step => step.id === bundle.steps[0]);
    const box = { key: first.id, step: first, bundle, inside: [], needs: new Set() };
    bundle.steps.forEach(id => boxes.set(id, box));
  }
  for (const step of steps) if (!boxes.has(step.id)) boxes.set(step.id, { key: step.id, step, inside: [], needs: new Set() });
  const all = [...new Set(boxes.values())];
  const top = { step: {}, inside: [] };
  for (const box of all) {
    box.parent = boxes.get(box.step.parent) ?? top;
    box.parent.inside.push(box);
    box.from = box.to = layerOf.get(box.step.id) ?? 0;
  }
  for (const step of steps) for (const id of step.depends_on) if (boxes.has(id)) boxes.get(step.id).needs.add(boxes.get(id));
  // A callback stands behind all that is beside it.
  for (const box of all) if (box.step.callback) for (const other of box.parent.inside) if (!other.step.callback) box.needs.add(other);
  spread(top);
  return { top, all };
}

/** A frame reaches over the layers of all that is inside. */
function spread(box) {
  for (const each of box.inside) {
    spread(each);
    if (each.inside.length) each.from = Math.min(...each.inside.map(one => one.from));
    each.to = Math.max(each.to, ...each.inside.map(one => one.to));
  }
}

/** Gives all inside of a box their places, from its upper edge on; its height. */
function place(box) {
  const filled = new Map();
  const range = each => Array.from({ length: each.to - each.from + 1 }, (_, i) => each.from + i);
  const wanted = each => { const placed = [...each.needs].filter(need => need.y !== undefined).map(need => need.y); return placed.length ? placed.reduce((sum, y) => sum + y, 0) / placed.length : 0; };
  const layers = Map.groupBy(box.inside, each => each.from);
  for (const layer of [...layers.keys()].sort((a, b) => a - b)) {
    for (const each of layers.get(layer).map((one, i) => [wanted(one), i, one]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , one]) => one)) {
      each.height = each.inside.length ? place(each) + HEAD + EDGE : HEIGHT;
      each.y = Math.max(0, ...range(each).map(column => filled.get(column) ?? 0));
      range(each).forEach(column => filled.set(column, each.y + each.height + BETWEEN));
    }
  }
  const whole = Math.max(HEIGHT, ...[...filled.values()].map(bottom => bottom - BETWEEN));
  // A layer that no frame crosses stands in the middle.
  for (const [column, bottom] of filled) {
    const own = box.inside.filter(each => each.from <= column && each.to >= column);
    if (own.every(each => each.from === each.to)) own.forEach(each => { each.y += (whole - bottom + BETWEEN) / 2; });
  }
  return whole;
}

const depth = box => (box.inside.length ? 1 + Math.max(...box.inside.map(depth)) : 0);

/** From places within frames to places on the page. */
function settle(box, upper) {
  for (const each of box.inside) {
    each.top = upper + each.y;
    each.edge = EDGE * depth(each);
    each.left = each.from * (WIDTH + GAP) - each.edge;
    each.width = (each.to - each.from) * (WIDTH + GAP) + WIDTH + 2 * each.edge;
    settle(each, each.top + HEAD);
  }
}

function line(box, need) {
  const [x1, y1, x2, y2] = [need.left + need.width, need.top + need.height / 2, box.left, box.top + box.height / 2];
  const bend = Math.max(20, (x2 - x1) / 2);
  const kind = `${box.step.callback ? 'callback' : ''} ${need.step.state === 'failed' || need.bundle?.states.failed ? 'failed' : ''}`;
  return svg`<path class="edge ${kind}" marker-end="url(#arrow)" d="M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 2} ${y2}"/>`;
}

const frame = box => svg`<g class="frame ${box.step.state}"><rect x=${box.left} y=${box.top} width=${box.width} height=${box.height} rx="8"/>
  <text x=${box.left + 8} y=${box.top + 14}>${SIGNS[box.step.state]} ${cut(`${box.step.id} · ${box.step.type}`, Math.floor(box.width / 7))}</text></g>`;

const counted = states => ORDER.filter(state => states[state]).map(state => `${number(states[state])} ${state}`).join(', ');

/** With signs where words do not fit. */
function shortly(states) {
  const words = counted(states);
  return words.length < 28 ? words : ORDER.filter(state => states[state]).map(state => `${SIGNS[state]} ${number(states[state])}`).join('  ');
}

function bundle(box, id) {
  const { type, size, states } = box.bundle;
  const worst = ORDER.find(state => states[state]);
  let x = box.left + 10;
  return svg`<a href=${href('workflows', [id], { type })}><g class="box ${worst}"><title>${`${size} × ${type}: ${counted(states)}`}</title>
    <rect x=${box.left + 4} y=${box.top + 4} width=${WIDTH} height=${HEIGHT} rx="6"/><rect x=${box.left} y=${box.top} width=${WIDTH} height=${HEIGHT} rx="6"/>
    <text class="name" x=${box.left + 10} y=${box.top + 18}>${SIGNS[worst]} ${cut(`${number(size)} × ${type}`, 26)}</text>
    ${BAR.filter(state => states[state]).map(state => {
      const width = ((WIDTH - 20) * states[state]) / size;
      x += width;
      return svg`<rect class="part ${state}" x=${x - width} y=${box.top + 26} width=${width} height="9"/>`;
    })}
    <text x=${box.left + 10} y=${box.top + 52}>${shortly(states)}</text></g></a>`;
}

function single(box) {
  const { step } = box;
  const text = reason(step);
  const name = step.callback ?? step.id;
  const drawn = svg`<g class="box ${step.state} ${step.callback ? 'callback' : ''}"><title>${`${step.id}, ${step.type}, ${step.state}${step.attempt ? `, attempt ${step.attempt}` : ''}: ${text}`}</title>
    <rect x=${box.left} y=${box.top} width=${WIDTH} height=${HEIGHT} rx="6"/>
    <text class="name" x=${box.left + 10} y=${box.top + 18}>${SIGNS[step.state]} ${cut(name, 24)}</text>
    <text x=${box.left + 10} y=${box.top + 35}>${cut(step.type)}</text><text class="reason" x=${box.left + 10} y=${box.top + 52}>${cut(text)}</text></g>`;
  return step.job_id ? svg`<a href=${href('jobs', [step.job_id])}>${drawn}</a>` : drawn;
}

/** @param {{layers: string[][], bundles: any[]}} layout as the server has made it */
export function graph(workflow, layout) {
  const { top, all } = model(workflow, layout);
  const height = place(top) + 2 * EDGE + 4;
  settle(top, EDGE);
  const edge = Math.max(0, ...top.inside.map(depth)) * EDGE;
  const width = Math.max(0, ...all.map(box => box.left + box.width)) + edge + 8;
  const states = {};
  for (const step of stepsOf(workflow)) states[step.state] = (states[step.state] ?? 0) + 1;
  const frames = [];
  const collect = box => box.inside.forEach(each => { if (each.inside.length) frames.push(each); collect(each); });
  collect(top);
  return svg`<svg class="graph" width=${width + edge + 4} height=${height} viewBox="${-edge - 4} 0 ${width + edge + 4} ${height}" role="group" aria-label=${`Graph of the steps: ${counted(states)}. The table below has the same.`}>
    <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
    ${frames.map(frame)}${all.flatMap(box => [...box.needs].map(need => line(box, need)))}
    ${all.map(box => (box.bundle ? bundle(box, workflow.id) : box.inside.length ? nothing : single(box)))}</svg>`;
}

const SPANS = [['others', 'waited for others'], ['room', 'waited for room'], ['own', 'in its queue, and run']];

/** Where the time went: for each step, on one scale, what it waited for and how long its queue had it. */
export function times(workflow, steps) {
  const begun = Date.parse(workflow.created_at);
  const end = Date.parse(workflow.completed_at ?? workflow.cancelled_at) || now();
  const [left, width, row] = [150, 620, 20];
  const x = at => left + (width * Math.max(0, Math.min(1, (at - begun) / Math.max(1, end - begun))));
  const parse = (at, otherwise) => (at ? Date.parse(at) : otherwise);
  return html`<figure class="chart times"><figcaption>${SPANS.map(([kind, label]) => html`<span class="key ${kind}">${label}</span> `)} <span class="quiet">${duration(end - begun)} in all</span></figcaption>
    <svg viewBox="0 0 ${left + width + 4} ${row * steps.length}" role="img" aria-label="The same times as in the table, as bars.">${steps.map((step, i) => {
      const ended = parse(step.completed_at, step.state === 'waiting' || workflow.state === 'running' ? end : begun);
      const ready = Math.min(parse(step.ready_at, ended), ended);
      const queued = Math.min(parse(step.enqueued_at, ended), ended);
      const spans = [[begun, ready], [ready, queued], [queued, ended]];
      return svg`<g><title>${`${step.id}: ${SPANS.map(([, label], k) => `${label} ${duration(Math.max(0, spans[k][1] - spans[k][0]))}`).join(', ')}`}</title><text x=${left - 6} y=${i * row + 14} text-anchor="end">${SIGNS[step.state]} ${cut(step.id, 20)}</text>
        ${SPANS.map(([kind], k) => svg`<rect class=${kind} x=${x(spans[k][0])} y=${i * row + 4} width=${Math.max(0, x(spans[k][1]) - x(spans[k][0]))} height=${row - 8}/>`)}</g>`;
    })}</svg></figure>`;
}
