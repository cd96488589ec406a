import { html, nothing } from './lit-html.js';
import { number } from './format.js';
import { within } from './router.js';
import { heading, lasting, pages, queueLink, table, time, when, workflowLink } from './widgets.js';
import { search } from './page-queues.js';
import { stable } from './order.js';
import { SIGNS } from './graph.js';

const STATES = ['all', 'running', 'failed', 'completed', 'cancelled'];

export const title = () => 'Workflows';
export const every = 5000;
export const feeds = ({ query }) => ({
  workflows: `ojs/v1/workflows?${new URLSearchParams({ limit: 50, ...(query.state ? { state: query.state } : {}), ...(query.name ? { name: query.name } : {}), ...(query.cursor ? { cursor: query.cursor } : {}) })}`,
});

export const standing = state => html`<span class="standing ${state}"><span aria-hidden="true">${SIGNS[state]}</span> ${state}</span>`;

export const progress = w => html`<progress max=${w.jobs_total} value=${w.jobs_completed} aria-label=${`${w.jobs_completed} of ${w.jobs_total} jobs done`}></progress> ${number(w.jobs_completed)} of ${number(w.jobs_total)}${w.jobs_failed ? html`, <span class="standing failed">${number(w.jobs_failed)} failed</span>` : nothing}`;

const columns = [
  { label: 'Workflow', cell: w => html`${workflowLink(w.id, w.name)} ${standing(w.state)}` },
  { label: 'Shape', cell: w => w.type },
  { label: 'Jobs done', cell: progress },
  { label: 'Queues', cell: w => html`${w.queues.slice(0, 4).map((name, i) => html`${i ? ', ' : ''}${queueLink(name)}`)}${w.queues.length > 4 ? ` and ${w.queues.length - 4} more` : ''}` },
  { label: 'Began', numeric: true, cell: w => time(w.created_at) },
  { label: 'Ended', numeric: true, cell: w => time(w.completed_at ?? w.cancelled_at) },
  { label: 'Runs for', numeric: true, cell: w => (w.state === 'running' ? lasting(w.created_at) : '–') },
  { label: 'Error', cell: w => (w.errors.length ? html`<span class="error">${w.errors[0].step ? `${w.errors[0].step}: ` : ''}${w.errors[0].code}: ${w.errors[0].message}</span>` : '') },
];

export function view(data, { query }) {
  return html`${heading('Workflows')}
    <form class="filters" role="search" @submit=${event => event.preventDefault()}>
      <label>Name <input type="search" id="search" placeholder="the whole name" .value=${query.name ?? ''} @input=${event => search(event.target.value.trim(), 'name')}></label>
      <nav class="chips" aria-label="State">${STATES.map(state => html`<a href=${within({ state: state === 'all' ? '' : state })} aria-current=${(query.state ?? 'all') === state ? 'true' : nothing}>${state}</a>`)}</nav>
    </form>
    ${when(data.workflows, ({ items, pagination }) => html`${table('Workflows', columns, stable('workflows', items, w => w.id), w => w.id, { empty: query.state || query.name ? 'No workflow is like that.' : 'No workflow yet: POST /ojs/v1/workflows makes one.' })}${pages(pagination)}`)}`;
}
