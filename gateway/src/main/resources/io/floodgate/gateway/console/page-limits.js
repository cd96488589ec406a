import { html, nothing } from './lit-html.js';
import { number } from './format.js';
import { encode } from './api.js';
import { badge, button, figures, heading, limitLink, pages, table, time, when } from './widgets.js';
import { begin } from './actions.js';
import { evidence, explanation } from './explanation.js';

export const title = ({ path }) => (path[0] ? `limit ${path[0]}` : 'Limits');
export const every = 5000;
export const feeds = ({ path, query }) => (path[0]
  ? { limit: `ojs/v1/rate-limits/${encode(path[0])}`, why: `ojs/v1/rate-limits/${encode(path[0])}/explain` }
  : { limits: `ojs/v1/rate-limits?limit=100${query.offset ? `&offset=${query.offset}` : ''}` });

const stopped = limit => limit.concurrency?.limit === 0 || limit.rate?.limit === 0;
const state = limit => (stopped(limit) ? badge('stopped', 'sign') : limit.frozen_until ? badge('frozen', 'sign') : limit.waiting > 0 ? badge('held') : limit.concurrency && limit.active >= limit.concurrency.limit ? badge('all in use') : badge('free'));
const starts = rate => (rate ? html`${rate.current_count === undefined ? nothing : html`${number(rate.current_count)} of `}${number(rate.limit)} <span class="quiet">per ${rate.period}</span>` : '–');

const columns = [
  { label: 'Key', cell: limit => html`${limitLink(limit.key)} ${state(limit)} ${limit.override ? badge('overridden') : nothing}` },
  { label: 'Running', numeric: true, cell: limit => (limit.concurrency ? `${number(limit.active)} of ${number(limit.concurrency.limit)}` : number(limit.active)) },
  { label: 'Starts', numeric: true, cell: limit => starts(limit.rate ?? limit.throttle) },
  { label: 'Held back', numeric: true, hint: 'available jobs that the limit holds back', cell: limit => number(limit.waiting) },
  { label: 'Until', numeric: true, cell: limit => time(limit.frozen_until ?? limit.throttle?.next_allowed_at ?? limit.rate?.window_resets_at) },
  { label: 'Override ends', numeric: true, cell: limit => (limit.override ? (limit.override.expires_at ? time(limit.override.expires_at) : 'never') : '–') },
  { label: 'Actions', cell: limit => actions(limit, 'small') },
];

function actions(limit, kind = '') {
  const about = { key: limit.key, concurrency: limit.concurrency?.limit };
  return html`${limit.override || limit.frozen_until ? button('End override', () => begin('limit.end', about), { kind, id: 'limit.end' }) : nothing}
    ${stopped(limit) ? nothing : button('Stop…', () => begin('limit.stop', about), { kind, id: 'limit.stop' })}
    ${kind ? nothing : button('Override…', () => begin('limit.override', about), { id: 'limit.override' })}`;
}

const worst = limits => [...limits].sort((a, b) => stopped(b) - stopped(a) || b.waiting - a.waiting);

export function view(data, { path }) {
  if (path[0]) {
    const limit = data.limit?.json?.key ? data.limit.json : data.limit?.last?.json;
    return html`${heading(path[0], limit ? state(limit) : nothing)}
      ${limit ? html`<div class="actions">${actions(limit)}</div>` : nothing}${explanation(data.why)}
      ${limit ? figures([['Running', limit.concurrency ? `${number(limit.active)} of ${number(limit.concurrency.limit)}` : number(limit.active)], ['Starts', starts(limit.rate)], ['Throttle', starts(limit.throttle)], ['Held back', number(limit.waiting)],
        limit.frozen_until && ['Frozen until', html`${time(limit.frozen_until)} ${limit.frozen_reason ?? ''}`]]) : nothing}
      ${limit?.override ? html`<section><h2>Override</h2>${evidence(limit.override)}</section>` : nothing}`;
  }
  return html`${heading('Limits')}${when(data.limits, ({ items, pagination }) => html`
    ${table('Limits', columns, worst(items), limit => limit.key, { empty: 'No job and no queue has a rate limit.' })}${pages(pagination)}`)}`;
}
