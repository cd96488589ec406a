import { html, nothing } from './lit-html.js';
import { count, filled, number, share } from './format.js';
import { encode } from './api.js';
import { badge, button, figures, heading, meter, pages, queueLink, table, tenantLink, when } from './widgets.js';
import { begin } from './actions.js';
import { explanation } from './explanation.js';

export const title = ({ path }) => (path[0] ? `tenant ${path[0]}` : 'Tenants');
export const every = 10000;
export const feeds = ({ path, query }) => (path[0]
  ? { tenant: `ojs/v1/admin/tenants/${encode(path[0])}`, why: `ojs/v1/admin/tenants/${encode(path[0])}/explain` }
  : { tenants: `ojs/v1/admin/tenants?${new URLSearchParams({ per_page: 50, sort: query.sort ?? 'rejected', ...(query.offset ? { offset: query.offset } : {}) })}` });

const nearest = tenant => tenant.limits.max_queue_depth;
const largest = tenant => tenant.queues.reduce((most, queue) => ((queue.share ?? 0) > (most?.share ?? -1) ? queue : most), null);
const isAtBound = queue => queue.max_queue_depth > 0 && queue.depth >= queue.max_queue_depth;
const shareOf = queue => (queue?.share === undefined ? '–' : html`${share(queue.depth, queue.queue_depth)} <span class="quiet">of ${queueLink(queue.queue)}</span>`);

const columns = [
  { label: 'Tenant', cell: tenant => html`${tenantLink(tenant.tenant_id)} ${tenant.queues.some(isAtBound) ? badge('at its bound', 'sign') : nothing}` },
  { label: 'Jobs', sort: 'depth', numeric: true, hint: 'unfinished jobs, in queues that bound their tenants', cell: tenant => number(tenant.depth) },
  { label: 'Largest share', numeric: true, hint: 'of the unfinished jobs of one queue', cell: tenant => shareOf(largest(tenant)) },
  { label: 'Nearest bound', sort: 'pressure', cell: tenant => (nearest(tenant) ? html`${meter(nearest(tenant).current, nearest(tenant).limit, Math.min(1, nearest(tenant).current / nearest(tenant).limit))} <span class="quiet">${number(nearest(tenant).current)} of ${number(nearest(tenant).limit)} in ${queueLink(nearest(tenant).queue)}</span>` : html`<span class="quiet">no bound</span>`) },
  { label: 'Rejected, 10 min', sort: 'rejected', numeric: true, hint: 'jobs that were rejected because the tenant was at its bound', cell: tenant => number(tenant.rejected) },
  { label: 'Queues', numeric: true, cell: tenant => number(tenant.queues.length + (tenant.more_queues ?? 0)) },
];

const bound = (tenant, queue, kind) => button('Set bound…', () => begin('tenant.bound', { id: tenant, queue: queue.queue, bound: queue.max_queue_depth, depth: queue.depth, own: queue.own_limit }), { kind, id: 'tenant.bound' });

const ofQueue = tenant => [
  { label: 'Queue', cell: queue => html`${queueLink(queue.queue)} ${isAtBound(queue) ? badge('at its bound', 'sign') : nothing} ${queue.tenants_counted === false ? badge('being counted') : nothing}` },
  { label: 'Jobs', numeric: true, cell: queue => number(queue.depth) },
  { label: 'Waiting', numeric: true, cell: queue => number(queue.available) },
  { label: 'Bound', cell: queue => (queue.max_queue_depth ? html`${meter(queue.depth, queue.max_queue_depth, queue.pressure)} <span class="quiet">of ${number(queue.max_queue_depth)}, ${queue.own_limit ? 'its own' : 'of every tenant'}</span>` : html`<span class="quiet">no bound</span>`) },
  { label: 'Share', numeric: true, hint: 'of the unfinished jobs of all tenants', cell: queue => (queue.share === undefined ? '–' : html`${share(queue.depth, queue.queue_depth)} <span class="quiet">of ${number(queue.queue_depth)}</span>`) },
  { label: 'Queue full', numeric: true, cell: queue => (queue.queue_bound ? filled(queue.queue_pressure) : '–') },
  { label: 'Rejected, 10 min', numeric: true, cell: queue => number(queue.rejected) },
  { label: 'Actions', cell: queue => bound(tenant, queue, 'small') },
];

function one(data, id) {
  const tenant = data.tenant?.ok ? data.tenant.json : data.tenant?.last?.json;
  return html`${heading(id)}${explanation(data.why)}
    ${tenant ? html`${figures([['Jobs', number(tenant.depth), 'unfinished jobs, in queues that bound their tenants'], ...(tenant.max_jobs ? [['Most jobs', number(tenant.max_jobs), 'its bound over all queues']] : []), ...(tenant.max_concurrency ? [['Running', `${number(tenant.running)} of ${number(tenant.max_concurrency)}`, 'its bound over all queues']] : []), ['Rejected, 10 min', number(tenant.rejected)], ['Queues', number(tenant.queues.length + (tenant.more_queues ?? 0))]])}
      <h2>In its queues</h2>${table('Queues of this tenant', ofQueue(id), [...tenant.queues].sort((a, b) => b.rejected - a.rejected || b.depth - a.depth), queue => queue.queue, { empty: 'None of the queues that bound their tenants has jobs of this one.' })}
      ${tenant.more_queues ? html`<p class="quiet">${count(tenant.more_queues, 'more queue')} not shown.</p>` : nothing}` : nothing}`;
}

export function view(data, { path }) {
  if (path[0]) return one(data, path[0]);
  return html`${heading('Tenants')}${when(data.tenants, ({ items, pagination, sorted_of: of }) => html`
    ${of ? html`<p class="quiet">The first ${number(of)} tenants by name are compared.</p>` : nothing}
    ${table('Tenants', columns, items, tenant => tenant.tenant_id, { usual: 'rejected', empty: html`No queue bounds its tenants. A tenant is the <code>meta.tenant_id</code> of a job; <code>PUT ojs/v1/admin/tenants/acme {"limits": {"max_queue_depth": 1000}, "queues": ["email"]}</code> bounds one.` })}${pages(pagination)}`)}`;
}
