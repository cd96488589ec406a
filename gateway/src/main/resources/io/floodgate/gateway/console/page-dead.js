import { html, nothing } from './lit-html.js';
import { number } from './format.js';
import { href, within } from './router.js';
import { begin } from './actions.js';
import { button, heading, isEmpty, jobLink, notice, pages, queueLink, table, time, when } from './widgets.js';
import { isConfined } from './api.js';
import { search } from './page-queues.js';

export const title = () => 'Dead letters';
export const every = 10000;
const FILTERS = ['queue', 'type', 'error_type', 'since', 'until'];
const filter = query => Object.fromEntries(FILTERS.filter(name => query[name]).map(name => [name, query[name]]));

export const feeds = ({ query }) => ({
  // By the error only the search for jobs can choose.
  dead: query.error_type ? `ojs/v1/admin/jobs?${new URLSearchParams({ state: 'discarded', per_page: 50, ...filter(query), ...(query.cursor ? { cursor: query.cursor } : {}) })}`
    : `ojs/v1/dead-letter?${new URLSearchParams({ limit: 50, ...filter(query), ...(query.offset ? { offset: query.offset } : {}) })}`,
  stats: `ojs/v1/dead-letter/stats?${new URLSearchParams(filter(query))}`,
});

const columns = [
  { label: 'Job', cell: job => jobLink(job.id) },
  { label: 'Type', cell: job => job.type },
  { label: 'Queue', cell: job => queueLink(job.dead_letter?.original_queue ?? job.queue) },
  { label: 'Last error', cell: job => (job.error ? html`<span class="error">${job.error.type}: ${job.error.message}</span>` : '–') },
  { label: 'Attempts', numeric: true, cell: job => number(job.attempt) },
  { label: 'Died', numeric: true, cell: job => time(job.discarded_at ?? job.completed_at ?? job.created_at) },
  { label: 'Actions', cell: job => button('Retry', () => begin('job.retry', job), { kind: 'small' }) },
];

const group = (label, counts, name) => html`<section class="top"><h2>By ${label}</h2><table><caption class="hidden">Dead letters by ${label}</caption>
  <thead><tr><th scope="col">${label}</th><th scope="col" class="n">Dead letters</th></tr></thead>
  <tbody>${Object.entries(counts).sort((a, b) => b[1] - a[1]).slice(0, 8).map(([value, amount]) => html`<tr><th scope="row"><a href=${within({ [name]: value })}>${value}</a></th><td class="n">${number(amount)}</td></tr>`)}</tbody></table></section>`;

const field = (query, name, label) => html`<label>${label} <input type="search" id=${name === 'queue' ? 'search' : nothing} .value=${query[name] ?? ''} @input=${event => search(event.target.value.trim(), name)}></label>`;

export function view(data, { query }) {
  const chosen = filter(query);
  return html`${heading('Dead letters')}
    ${when(data.stats, stats => (stats.total === 0 ? notice(Object.keys(chosen).length ? 'No dead letter is like that.' : 'No job has failed for good.', Object.keys(chosen).length ? 'info' : 'ok') : html`
      ${stats.counted < stats.total ? html`<p class="quiet">${number(stats.total)} dead letters; counted below are the newest ${number(stats.counted)}.</p>` : html`<p class="quiet">${number(stats.total)} dead letters.</p>`}
      <div class="tops">${group('queue', stats.by_queue, 'queue')}${group('type', stats.by_type, 'type')}${group('error type', stats.by_error_type, 'error_type')}</div>`))}
    <form class="filters" role="search" @submit=${event => event.preventDefault()}>${field(query, 'queue', 'Queue')}${field(query, 'type', 'Type')}${field(query, 'error_type', 'Error type')}
      ${Object.keys(chosen).length ? html`<a href=${href('dead')}>Clear</a>` : nothing}</form>
    ${isConfined() || isEmpty(data.dead) ? nothing : html`<div class="actions">${button('Retry all that match…', () => begin('dead.retry', { filter: chosen }), { id: 'dead.retry', kind: 'main' })}
      ${button('Delete all that match…', () => begin('jobs.delete', { filter: { ...chosen, state: 'discarded' } }), { kind: 'danger' })}</div>`}
    ${when(data.dead, answer => html`${table('Dead letters', answer.jobs ? columns : columns.filter(column => column.label !== 'Last error'), answer.jobs ?? answer.items, job => job.id, { empty: 'No dead letter is like that.' })}${pages(answer.pagination)}`)}`;
}
