import { html, nothing } from './lit-html.js';
import { duration, number } from './format.js';
import { button, heading, pages, queueLink, table, when } from './widgets.js';
import { begin } from './actions.js';
import './actions-sharing.js';

export const title = () => 'Pools';
export const every = 5000;
export const feeds = ({ query }) => ({
  pools: `ojs/v1/admin/pools?limit=100${query.offset ? `&offset=${query.offset}` : ''}`,
  started: 'ojs/v1/admin/scheduling/stats',
});

const isWeighted = pool => pool.strategy === 'weighted';

const columns = [
  { label: 'Pool', cell: pool => pool.name },
  { label: 'Order', cell: pool => pool.strategy },
  { label: 'Queues', cell: pool => pool.queues.map((queue, at) => html`${at ? ', ' : ''}${queueLink(queue)}${isWeighted(pool) ? html` <span class="quiet">${number(pool.weights[queue])}</span>` : nothing}`) },
  { label: 'Actions', cell: pool => html`${button('Change…', () => begin('pool.set', pool), { kind: 'small', id: 'pool.set' })} ${button('Delete…', () => begin('pool.delete', pool), { kind: 'small', id: 'pool.delete' })}` },
];

const started = [
  { label: 'Queue', cell: queue => queueLink(queue.name) },
  { label: 'Started', numeric: true, hint: 'jobs that this gateway handed out in the last minute', cell: queue => number(queue.dispatch_count_1m) },
  { label: 'Share', numeric: true, cell: queue => `${number(Math.round(1000 * queue.dispatch_ratio_1m) / 10)}%` },
  { label: 'Average wait', numeric: true, cell: queue => (queue.dispatch_count_1m ? duration(queue.avg_wait_ms) : '–') },
  { label: 'Running', numeric: true, cell: queue => number(queue.active_jobs) },
];

export const view = data => html`${heading('Pools')}<p class="quiet">A pool is a named list of queues, with an order and weights. A worker that fetches with the pool's name gets jobs of these queues.</p>${when(data.pools, ({ items, pagination }) => html`
  <div class="actions">${button('New pool…', () => begin('pool.add', { names: items.map(pool => pool.name) }), { id: 'pool.add' })}</div>
  ${table('Pools', columns, items, pool => pool.name, { empty: 'There is no pool. One gives the queues of its workers an order, with weights.' })}${pages(pagination)}`)}
  <h2>Started in the last minute</h2>${when(data.started, ({ queues }) => table('Started in the last minute', started, queues.filter(queue => queue.dispatch_count_1m), queue => queue.name, { empty: 'This gateway has handed out nothing.' }))}`;
