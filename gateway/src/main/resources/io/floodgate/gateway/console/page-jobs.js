import { html, nothing } from './lit-html.js';
import { bytes } from './format.js';
import { go, refine } from './router.js';
import { badge, button, heading, isEmpty, jobLink, pages, queueLink, table, time, when, toast } from './widgets.js';
import { begin } from './actions.js';
import { isConfined } from './api.js';
import { search } from './page-queues.js';

const FILTERS = ['queue', 'state', 'type', 'error_type', 'since', 'until'];
const STATES = ['', 'available', 'active', 'retryable', 'scheduled', 'pending', 'completed', 'cancelled', 'discarded'];
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const title = () => 'Jobs';
export const every = 5000;
export const filter = query => Object.fromEntries(FILTERS.filter(name => query[name]).map(name => [name, query[name]]));
export const feeds = ({ query }) => ({ jobs: `ojs/v1/admin/jobs?${new URLSearchParams({ per_page: 50, ...filter(query), ...(query.cursor ? { cursor: query.cursor } : {}) })}` });

const columns = [
  { label: 'Job', cell: job => jobLink(job.id) },
  { label: 'Type', cell: job => job.type },
  { label: 'Queue', cell: job => queueLink(job.queue) },
  { label: 'State', cell: job => badge(job.state) },
  { label: 'Attempt', numeric: true, cell: job => `${job.attempt} of ${job.max_attempts}` },
  { label: 'Came', numeric: true, cell: job => time(job.created_at) },
  { label: 'Started or due', numeric: true, cell: job => time(job.started_at ?? job.scheduled_at ?? job.next_attempt_at) },
  { label: 'Size', numeric: true, cell: job => bytes(job.size_bytes) },
];

export const list = items => table('Jobs', columns, items, job => job.id, { empty: 'No job is like that.' });

function find(event) {
  event.preventDefault();
  const id = new FormData(event.target).get('id').trim();
  if (ID.test(id)) go('jobs', [id]);
  else toast('That is no job id.', { level: 'warning' });
}

const field = (query, name, label, hint) => html`<label>${label} <input type="search" name=${name} placeholder=${hint} .value=${query[name] ?? ''} @input=${event => search(event.target.value.trim(), name)}></label>`;

export function view(data, { query }) {
  const chosen = filter(query);
  const any = Object.keys(chosen).length > 0;
  return html`${heading('Jobs')}
    <form class="filters" @submit=${find}><label>Job id <input name="id" id="search" autocomplete="off" placeholder="of any job"></label> <button>Open</button></form>
    <form class="filters" role="search" @submit=${event => event.preventDefault()}>
      ${field(query, 'queue', 'Queue', 'email')}
      <label>State <select @change=${event => refine({ state: event.target.value })}>${STATES.map(state => html`<option value=${state} ?selected=${(query.state ?? '') === state}>${state || 'any'}</option>`)}</select></label>
      ${field(query, 'type', 'Type', 'email.*')}${field(query, 'error_type', 'Error type', 'SmtpError')}${field(query, 'since', 'Came since', '24h')}${field(query, 'until', 'Came until', '1h')}
    </form>
    ${any && !isConfined() && !isEmpty(data.jobs) ? html`<div class="actions"><span class="quiet">All that match:</span>
      ${button('Retry…', () => begin('jobs.retry', { filter: chosen }), { id: 'jobs.retry' })}${button('Cancel…', () => begin('jobs.cancel', { filter: chosen }), { id: 'jobs.cancel' })}${button('Delete…', () => begin('jobs.delete', { filter: chosen }), { kind: 'danger' })}</div>` : nothing}
    ${when(data.jobs, ({ items, pagination }) => html`${list(items)}${pages(pagination)}`)}`;
}
