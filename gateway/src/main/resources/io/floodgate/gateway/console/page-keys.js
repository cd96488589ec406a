import { html, nothing } from './lit-html.js';
import { number } from './format.js';
import { encode } from './api.js';
import { badge, button, figures, heading, jobLink, keyLink, pages, queueLink, table, time, when } from './widgets.js';
import { begin } from './actions.js';

export const title = ({ path }) => (path[0] ? `key ${path[0].slice(0, 8)}…` : 'Unique keys');
export const every = 5000;
export const feeds = ({ path, query }) => (path[0]
  ? { key: `ojs/v1/unique-jobs/${encode(path[0])}` }
  : { keys: `ojs/v1/unique-jobs?limit=50${query.cursor ? `&cursor=${encode(query.cursor)}` : ''}` });

const release = holder => button('Release…', () => begin('key.release', holder), { kind: 'small', id: 'key.release' });
const columns = [
  { label: 'Job', cell: holder => html`${jobLink(holder.job_id)} ${holder.state ? badge(holder.state) : badge('forgotten')}` },
  { label: 'Type', cell: holder => holder.type ?? '–' },
  { label: 'Queue', cell: holder => (holder.queue ? queueLink(holder.queue) : '–') },
  { label: 'Came', numeric: true, cell: holder => time(holder.created_at) },
  { label: 'Until', numeric: true, hint: 'when the period of the job is over', cell: holder => time(holder.locked_until) },
  { label: 'States', hint: 'in which another job is a duplicate, by the policy of this job', cell: holder => holder.states.join(', ') },
  { label: 'Actions', cell: release },
];
const each = holder => `${holder.key} ${holder.job_id}`;

export function view(data, { path }) {
  if (path[0]) return html`${heading(html`Key <span class="id">${path[0]}</span>`, nothing)}${when(data.key, ({ claimed, waiting, items }) => html`
    ${figures([['Jobs', number(items.length)], ['Being stored', claimed ? 'one' : 'none'], ['Waiting for that', number(waiting)]])}
    ${table('Jobs that have the key', columns, items, each, { empty: 'No job has this key.' })}`)}`;
  return html`${heading('Unique keys')}<p class="quiet">A unique job has a key, made of its type, queue or arguments. While it has the key, another job with the same one is a duplicate.</p>${when(data.keys, ({ items, pagination }) => html`
    ${table('Jobs that have keys', [{ label: 'Key', cell: holder => keyLink(holder.key) }, ...columns], items, each, { empty: 'No job has a key.' })}${pages(pagination)}`)}`;
}
