import { html, nothing } from './lit-html.js';
import { number, duration } from './format.js';
import { encode } from './api.js';
import { badge, button, figures, heading, jobLink, pages, queueLink, table, time, when, workerLink } from './widgets.js';
import { begin } from './actions.js';
import { explanation } from './explanation.js';
import { href } from './router.js';
import { now } from './store.js';
import { stable } from './order.js';

export const title = ({ path }) => (path[0] ? `worker ${path[0]}` : 'Workers');
export const every = 5000;
export const feeds = ({ path, query }) => (path[0]
  ? { worker: `ojs/v1/admin/workers/${encode(path[0])}`, why: `ojs/v1/admin/workers/${encode(path[0])}/explain` }
  : { workers: `ojs/v1/admin/workers?per_page=100${query.offset ? `&offset=${query.offset}` : ''}` });

const GONE = 30;
const isGone = worker => worker.state === 'stale' || worker.state === 'left';
const silent = worker => (worker.last_heartbeat_at ? (now() - Date.parse(worker.last_heartbeat_at)) / 1000 : null);

/** Where a heartbeat is within the time that it may take. */
const beat = worker => (!worker.last_heartbeat_at ? html`<span class="quiet">none sent</span>` : isGone(worker) ? time(worker.last_heartbeat_at)
  : html`<meter min="0" max=${GONE} low="10" high="20" optimum="0" value=${Math.min(GONE, silent(worker))} aria-label=${`last heartbeat ${duration(1000 * silent(worker))} ago`}></meter> ${time(worker.last_heartbeat_at)}`);

const columns = [
  { label: 'Worker', cell: worker => html`${workerLink(worker.id)} ${badge(worker.state)}` },
  { label: 'Host', cell: worker => worker.hostname ?? '–' },
  { label: 'Version', cell: worker => worker.version ?? '–' },
  { label: 'Queues', cell: worker => (Array.isArray(worker.queues) && worker.queues.length ? worker.queues.slice(0, 5).map((name, i) => html`${i ? ', ' : ''}${queueLink(name)}`) : '–') },
  { label: 'In hand', numeric: true, hint: 'jobs that it has, and how many it says it can', cell: worker => `${number(worker.active_jobs)}${worker.concurrency ? ` of ${number(worker.concurrency)}` : ''}` },
  { label: 'Last heartbeat', numeric: true, hint: 'after 30 s without one, a worker is lost', cell: beat },
  { label: 'Actions', cell: worker => actions(worker, 'small') },
];

const ORDER = { stale: 0, quiet: 1, running: 2, left: 3 };

function actions(worker, kind = '') {
  const about = { id: worker.id };
  if (isGone(worker)) return button('Forget', () => begin('worker.forget', about), { kind });
  return html`${worker.state === 'quiet' ? button('Resume', () => begin('worker.resume', about), { kind }) : button('Quiet', () => begin('worker.quiet', about), { kind })}
    ${kind ? nothing : button('Terminate…', () => begin('worker.terminate', about), { kind: 'danger' })}`;
}

/** Those first that take no jobs. */
const worst = workers => [...workers].sort((a, b) => ORDER[a.state] - ORDER[b.state] || a.id.localeCompare(b.id));

export function view(data, { path, query }) {
  if (path[0]) return single(data, path[0]);
  return html`${heading('Workers')}${when(data.workers, ({ items, summary, pagination }) => html`
    ${query.queue ? html`<p>Workers of this page that name queue ${queueLink(query.queue)}. <a href=${href('workers')}>All workers</a></p>` : nothing}
    ${figures([['Take jobs', number(summary.running)], ['Quiet', number(summary.quiet)], ['Lost', number(summary.stale), 'fell silent; remembered for two hours'], ['Left', number(summary.left), 'stopped in good order']])}
    ${table('Workers', columns, stable('workers', worst(items.filter(w => !query.queue || w.queues?.includes(query.queue))), w => w.id), w => w.id, { empty: 'No worker has fetched or sent a heartbeat. POST /ojs/v1/workers/fetch takes jobs.' })}${pages(pagination)}`)}`;
}

function single(data, id) {
  const worker = data.worker?.json?.id ? data.worker.json : data.worker?.last?.json;
  return html`${heading(id, worker ? badge(worker.state) : nothing)}
    ${worker ? html`<div class="actions">${actions(worker)}</div>` : nothing}
    ${explanation(data.why)}
    ${worker ? html`${figures([['Host', worker.hostname ?? '–'], ['Process', worker.pid ?? '–'], ['Version', worker.version ?? '–'], ['In hand', `${number(worker.active_jobs)}${worker.concurrency ? ` of ${number(worker.concurrency)}` : ''}`],
      ['Started', time(worker.started_at)], ['Last heartbeat', beat(worker)]])}
      <h2>Its jobs</h2>${table('Jobs of this worker', [
        { label: 'Job', cell: job => jobLink(job.id) }, { label: 'Type', cell: job => job.type }, { label: 'Queue', cell: job => queueLink(job.queue) },
        { label: 'Runs since', numeric: true, cell: job => time(job.started_at) }, { label: 'Lease ends', numeric: true, cell: job => time(job.lease_expires_at) },
        { label: 'Actions', cell: job => button('Cancel', () => begin('job.cancel', job), { kind: 'small' }) }], worker.jobs ?? [], job => job.id, { empty: 'It has none.' })}` : nothing}`;
}
