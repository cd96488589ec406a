// Small pieces that all pages are made of.
import { html, nothing } from './lit-html.js';
import { repeat } from './lit-repeat.js';
import { absolute, duration, filled, number, relative } from './format.js';
import { href, within } from './router.js';
import { isStale, now, state, update } from './store.js';
import { curl, may, sentence } from './api.js';
import { pretty } from './json.js';
import { SHORTCUTS } from './keys.js';

const ICONS = { problem: '▲', warning: '●', info: '○', ok: '✓' };

/** Never by colour alone. */
export const severity = (level, text = level) => html`<span class="severity ${level}"><span aria-hidden="true">${ICONS[level] ?? '○'}</span> ${text}</span>`;

export const time = at => (at ? html`<time datetime=${at} title=${state.settings.absolute ? relative(at) : absolute(at)}>${state.settings.absolute ? absolute(at) : relative(at)}</time>` : '–');

const STATES = { available: 'waiting for a worker', active: 'running', scheduled: 'for later', retryable: 'waits for its next attempt', pending: 'not activated', completed: 'done', cancelled: 'cancelled', discarded: 'failed for good', paused: 'paused', draining: 'being deleted', running: 'takes jobs', quiet: 'takes no more jobs', stale: 'lost: it fell silent', left: 'stopped in good order' };
export const badge = (value, tone = '') => html`<span class="badge ${tone || value}" title=${STATES[value] ?? ''}>${value}</span>`;

/** For how long something has lasted. */
export const lasting = since => (since ? html`<time datetime=${since} title=${absolute(since)}>${state.settings.absolute ? absolute(since) : duration(Math.max(0, now() - Date.parse(since)))}</time>` : '–');

export const queueLink = name => html`<a href=${href('queues', [name])}>${name}</a>`;
export const jobLink = id => html`<a class="id" href=${href('jobs', [id])} title=${id}>${id}</a>`;
export const workerLink = id => (id ? html`<a href=${href('workers', [id])}>${id}</a>` : '–');
export const limitLink = key => html`<a href=${href('limits', [key])}>${key}</a>`;
export const keyLink = key => html`<a class="id" href=${href('keys', [key])} title=${key}>${key.slice(0, 12)}…</a>`;
export const tenantLink = id => html`<a href=${href('tenants', [id])}>${id}</a>`;
export const scheduleLink = name => html`<a href=${href('schedules', [name])}>${name}</a>`;
export const workflowLink = (id, name = id) => html`<a class=${name === id ? 'id' : ''} href=${href('workflows', [id])} title=${id}>${name}</a>`;

export function meter(depth, bound, pressure) {
  if (!bound) return html`<span class="quiet">no bound</span>`;
  const level = pressure >= 1 ? 'full' : pressure >= 0.8 ? 'high' : '';
  return html`<span class="fullness ${level}"><meter min="0" max="1" low="0.8" high="0.99" optimum="0" value=${pressure} aria-label=${`${number(depth)} of ${number(bound)}, ${filled(pressure)} full`}></meter> ${filled(pressure)}</span>`;
}

/** A button of an action; what one may not do is there, and says what it takes. */
export function button(label, click, { scope = 'admin', kind = '', disabled = false, id = '' } = {}) {
  const allowed = scope === '' || may(scope);
  const old = scope !== '' && (isStale() || state.data.why?.json?.exact === false);
  const why = !allowed ? `This takes a key with the scope ${scope}.` : old ? 'The figures are old: no action until the server answers.' : '';
  return html`<button type="button" class=${kind} data-action=${id} ?disabled=${!allowed || old || disabled} title=${why || nothing} @click=${click}>${label}</button>`;
}

export const notice = (text, level = 'info') => html`<p class="notice ${level}">${severity(level, '')} ${text}</p>`;

/** What is shown for an answer: while it is awaited, when it failed, and the rest when it is there. */
export function when(answer, view) {
  if (!answer) return html`<p class="loading" aria-busy="true">Loading …</p>`;
  if (!answer.ok && !answer.last) return notice(answer.status === 0 ? 'The server does not answer. This page tries again by itself.' : sentence(answer), answer.status === 404 ? 'info' : 'problem');
  return html`${answer.ok ? nothing : notice(html`No new answer: ${sentence(answer)} What you see is from ${time(new Date(answer.last.at + state.skew).toISOString())}.`, 'warning')}${view((answer.ok ? answer : answer.last).json, answer.ok ? answer : answer.last)}`;
}

/** Of the answer for a list: there is nothing that an action could concern. */
export const isEmpty = answer => answer?.ok && !(answer.json.jobs ?? answer.json.items).length;

/**
 * @param {{label: string, sort?: string, numeric?: boolean, hint?: string, cell: (row: any) => any}[]} columns
 */
export function table(caption, columns, rows, keyOf, { empty = 'Nothing here.', usual = '' } = {}) {
  const sort = state.route.query.sort ?? usual;
  const descending = (state.route.query.order ?? (sort === 'name' ? 'asc' : 'desc')) === 'desc';
  if (!rows.length) return html`<p class="quiet">${empty}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${caption}><table data-list>
    <caption class="hidden">${caption}</caption>
    <thead><tr>${columns.map(column => html`<th scope="col" class=${column.numeric ? 'n' : ''} title=${column.hint ?? nothing}
      aria-sort=${column.sort && column.sort === sort ? (descending ? 'descending' : 'ascending') : nothing}>${column.sort
        ? html`<a href=${within({ sort: column.sort, order: column.sort === sort && descending ? 'asc' : column.sort === sort ? 'desc' : '' })}>${column.label}${column.sort === sort ? (descending ? ' ▼' : ' ▲') : ''}</a>` : column.label}</th>`)}</tr></thead>
    <tbody>${repeat(rows, keyOf, row => html`<tr>${columns.map((column, i) => (i === 0
      ? html`<th scope="row" data-label=${column.label}>${column.cell(row)}</th>`
      : html`<td data-label=${column.label} class=${column.numeric ? 'n' : ''}>${column.cell(row)}</td>`))}</tr>`)}</tbody>
  </table></div>`;
}

export function pages(paging) {
  if (!paging) return nothing;
  const { total, limit, offset } = paging;
  // One that begins so is an offset, which pages have in their address by its name.
  const cursor = paging.next_cursor?.startsWith('@') ? undefined : paging.next_cursor;
  const next = cursor ? { cursor } : { offset: offset + limit };
  return html`<nav class="pages" aria-label="Pages of this list">
    ${total === undefined ? nothing : html`<span class="quiet">${number(Math.min(total, offset + 1))} to ${number(Math.min(total, offset + limit))} of ${cursor && total === offset + limit + 1 ? 'more' : number(total)}</span>`}
    ${offset > 0 && !state.route.query.cursor ? html`<a href=${within({ offset: offset - limit > 0 ? offset - limit : '' }, true)}>Previous</a>` : nothing}
    ${state.route.query.cursor ? html`<a href=${within({ cursor: '' }, true)}>First page</a>` : nothing}
    ${paging.has_more ? html`<a href=${within(next, true)}>Next</a>` : nothing}</nav>`;
}

export const figures = list => html`<dl class="figures">${list.filter(Boolean).map(([label, value, hint]) => html`<div><dt title=${hint ?? nothing}>${label}</dt><dd>${value}</dd></div>`)}</dl>`;

/** What users and workers wrote: text, and nothing else. */
export function json(label, text, open = !state.settings.closed) {
  if (!text || text === 'null') return nothing;
  return html`<details class="json" ?open=${open}><summary>${label}</summary>
    ${copyButton(text)}<pre tabindex="0">${pretty(text)}</pre></details>`;
}

export const copyButton = (text, label = 'Copy') => html`<button type="button" class="small" @click=${() => copy(text)}>${label}</button>`;

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Over plain HTTP there is no clipboard: the old way.
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  toast('Copied.');
}

let toasts = 0;

/** @param undo takes back what was done; null if that is not possible */
export function toast(text, { level = 'ok', undo = null, seconds = 6 } = {}) {
  const id = ++toasts;
  // What came before the last change must not be taken back after it.
  const others = undo ? state.toasts.filter(other => !other.undo) : state.toasts;
  update({ toasts: [...others, { id, text, level, undo }] });
  setTimeout(() => drop(id), 1000 * (undo ? 10 : level === 'problem' ? 15 : seconds));
}

export const drop = id => update({ toasts: state.toasts.filter(one => one.id !== id) });

export const showRequests = feeds => html`<details class="api"><summary>API</summary><p class="quiet">These requests feed this page.</p>
  <pre>${Object.values(feeds).map(path => curl('GET', path)).join('\n')}</pre>${copyButton(Object.values(feeds).map(path => curl('GET', path)).join('\n'))}</details>`;

/** All shortcuts with what they do. */
export const shortcuts = () => html`<dl class="shortcuts">${SHORTCUTS.map(([keys, what]) => html`<div><dt>${keys.split(' ').map(key => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>`;

export const heading = (title, extra = nothing) => html`<header class="heading"><h1 tabindex="-1">${title}</h1>${extra}</header>`;
