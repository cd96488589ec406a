import { html, nothing } from './lit-html.js';
import { number, rate, share } from './format.js';
import { href, refine, within } from './router.js';
import { badge, button, heading, lasting, meter, pages, queueLink, table, when } from './widgets.js';
import { begin } from './actions.js';
import { stable } from './order.js';

const SHOWS = { all: 'all', suspect: 'look suspicious', full: 'full', paused: 'paused', unfetched: 'not fetched', failing: 'failing', old: 'waiting long', dropping: 'dropping jobs', dead: 'with dead letters', dead_lately: 'with new dead letters', unbounded: 'unbounded', draining: 'draining' };
const SIGNS = { full: 'full', unfetched: 'not fetched', failing: 'failing', old: 'waits long', still: 'stands still', large: 'large', blocked: 'blocks producers', dropping: 'drops jobs', dead_lately: 'new dead letters' };

export const title = () => 'Queues';
export const every = 5000;
export const feeds = ({ query }) => ({
  queues: `ojs/v1/admin/queues?${new URLSearchParams({ view: 'row', per_page: 50, sort: query.sort ?? 'pressure', ...(query.order ? { order: query.order } : {}), ...(query.q ? { q: query.q } : {}), ...(query.show ? { show: query.show } : {}), ...(query.offset ? { offset: query.offset } : {}) })}`,
});

const columns = [
  { label: 'Queue', sort: 'name', cell: q => html`${queueLink(q.name)} ${q.state === 'active' ? nothing : badge(q.state)} ${q.signs.filter(sign => SIGNS[sign]).map(sign => html`${badge(SIGNS[sign], 'sign')} `)}` },
  { label: 'Full', sort: 'pressure', cell: q => meter(q.depth, q.bound, q.pressure) },
  { label: 'Jobs', sort: 'depth', numeric: true, hint: 'unfinished jobs', cell: q => html`${number(q.depth)}${q.max_depth ? html`<span class="quiet"> / ${number(q.max_depth)}</span>` : nothing}` },
  { label: 'Waiting', sort: 'available', numeric: true, cell: q => number(q.available) },
  { label: 'Running', numeric: true, cell: q => number(q.active) },
  { label: 'Later', numeric: true, hint: 'scheduled, not activated, or waiting for the next attempt', cell: q => number(q.scheduled + q.retryable + q.pending) },
  { label: 'Offered', sort: 'in', numeric: true, hint: 'by the last 10 s or, of few jobs, minutes', cell: q => rate(q.fills_per_second) },
  { label: 'Leave', sort: 'out', numeric: true, hint: 'by the last 10 s or, of few jobs, minutes', cell: q => rate(q.drains_per_second) },
  { label: 'Oldest', sort: 'oldest', numeric: true, hint: 'since when the job waits that has waited longest', cell: q => lasting(q.oldest_available_at) },
  { label: 'Failed, 1 h', sort: 'failed', numeric: true, hint: 'of the runs of the last hour', cell: q => share(q.failed_last_hour, q.failed_last_hour + q.completed_last_hour) },
  { label: 'Dropped, 1 h', numeric: true, cell: q => number(q.dropped_last_hour) },
  { label: 'Dead', sort: 'dead', numeric: true, cell: q => (q.dead ? html`<a href=${href('dead', [], { queue: q.name })}>${number(q.dead)}</a>` : '0') },
  { label: 'Actions', cell: q => (q.state === 'paused' ? button('Resume', () => begin('queue.resume', q), { kind: 'small' }) : button('Pause', () => begin('queue.pause', q), { kind: 'small' })) },
];

let typing = 0;

export function search(value, name = 'q') {
  clearTimeout(typing);
  typing = setTimeout(() => refine({ [name]: value }), 150);
}

export function view(data, { query }) {
  return html`${heading('Queues')}
    <form class="filters" role="search" @submit=${event => event.preventDefault()}>
      <label>Name <input type="search" id="search" .value=${query.q ?? ''} @input=${event => search(event.target.value.trim())}></label>
      <nav class="chips" aria-label="Show">${Object.entries(SHOWS).map(([show, label]) => html`<a href=${within({ show: show === 'all' ? '' : show })} aria-current=${(query.show ?? 'all') === show ? 'true' : nothing}>${label}</a>`)}</nav>
    </form>
    ${when(data.queues, ({ items, pagination }) => html`${table('Queues', columns, stable('queues', items, q => q.name), q => q.name, { usual: 'pressure', empty: query.q || query.show ? 'No queue is like that.' : 'No queue yet: the first job makes one.' })}${pages(pagination)}`)}`;
}
