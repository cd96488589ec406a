import { html, nothing } from './lit-html.js';
import { bytes, duration, number, rate } from './format.js';
import { href } from './router.js';
import { badge, button, figures, heading, json, lasting, meter, pages, time, when } from './widgets.js';
import { begin } from './actions.js';
import { encode, isConfined } from './api.js';
import { evidence, explanation } from './explanation.js';
import { flow } from './chart.js';
import { list as jobList } from './page-jobs.js';
import { list as eventList } from './page-events.js';
import { members } from './json.js';

const TABS = { why: 'Why', jobs: 'Jobs', config: 'Configuration', events: 'Events' };

export const title = ({ path }) => path[0];
export const every = 2000;

const tab = path => (TABS[path[1]] ? path[1] : 'why');

export function feeds({ path, query }) {
  const name = encode(path[0]);
  const queue = { queue: `ojs/v1/queues/${name}?config=true` };
  switch (tab(path)) {
    case 'jobs': return { ...queue, jobs: `ojs/v1/admin/jobs?${new URLSearchParams({ queue: path[0], per_page: 50, order: 'asc', state: query.state ?? 'available', ...(query.cursor ? { cursor: query.cursor } : {}) })}` };
    case 'config': return { queue: `ojs/v1/queues/${name}/config` };
    case 'events': return { ...queue, events: `ojs/v1/events?limit=100&queues=${name}` };
    default: return { ...queue, why: `ojs/v1/queues/${name}/explain`, ...(isConfined() ? {} : { history: `ojs/v1/admin/stats/history?period=1m&since=1h&queue=${name}` }) };
  }
}

const subject = queue => ({ name: queue.name, depth: queue.depth, bound: queue.max_depth, strategy: queue.config?.overflow_policy, fills: queue.fills_per_second, drains: queue.drains_per_second, fairness: queue.config?.tenant_fairness, concurrency: queue.config?.concurrency, rate: queue.config?.rate_limit });

function actions(queue) {
  const about = subject(queue);
  return html`<div class="actions">
    ${queue.paused ? button('Resume', () => begin('queue.resume', about), { kind: 'main', id: 'queue.resume' }) : button('Pause…', () => begin('queue.pause', about), { id: 'queue.pause' })}
    ${button('Set bound…', () => begin('queue.bound', about), { id: 'queue.bound' })}
    ${button('Set limits…', () => begin('queue.limits', about), { id: 'queue.limits' })}
    ${button('Turns of tenants…', () => import('./actions-sharing.js').then(() => begin('queue.turns', about)), { id: 'queue.turns' })}
    ${isConfined() ? nothing : html`<a class="button" href=${href('workers', [], { queue: queue.name })}>Its workers</a>`}
    ${queue.dead ? html`<a class="button" href=${href('dead', [], { queue: queue.name })}>${number(queue.dead)} dead letters</a>` : nothing}
    ${isConfined() ? nothing : button('Purge…', () => begin('queue.purge', about), { kind: 'danger' })}
    ${isConfined() ? nothing : button('Delete…', () => begin('queue.delete', about), { kind: 'danger' })}</div>`;
}

const turns = fairness => (fairness ? `take turns${fairness.weights ? `: ${Object.entries(fairness.weights).map(each => each.join(' ')).join(', ')}` : ''}` : 'by arrival');

const summary = queue => html`${figures([
    ['Full', meter(queue.depth, queue.bound, queue.pressure)],
    ['Jobs', html`${number(queue.depth)}${queue.max_depth ? html`<span class="quiet"> of ${number(queue.max_depth)}</span>` : nothing}`, 'unfinished jobs, and the bound'],
    ['Waiting', number(queue.available)], ['Running', number(queue.active)], ['To retry', number(queue.retryable)], ['For later', number(queue.scheduled + queue.pending)],
    ['Offered', rate(queue.fills_per_second), 'jobs that producers send, by the last 10 s or, of few jobs, minutes'], ['Leave', rate(queue.drains_per_second), 'by the last 10 s or, of few jobs, minutes'],
    ['Oldest waits', lasting(queue.available ? queue.oldest_available_at : null)], ['Last fetch', time(queue.last_fetched_at)],
    ...(queue.behind_key ? [['Wait for their order keys', html`${number(queue.behind_key)}<span class="quiet"> the oldest for ${lasting(queue.behind_key_since)}, up to ${number(queue.longest_key)} of a key</span>`]] : []),
    ['Average run', queue.avg_duration_ms ? duration(queue.avg_duration_ms) : '–'], ['Size', bytes(queue.size_bytes)],
    ['Order of tenants', html`${turns(queue.config?.tenant_fairness)}${queue.tenants_counted === false ? html` ${badge('being counted')}` : nothing}`, 'which jobs of the same priority start next'],
    ['Rejected, ever', number(queue.rejected)], ['Dropped, ever', number(queue.dropped)], ['Dead letters', html`<a href=${href('dead', [], { queue: queue.name })}>${number(queue.dead)}</a>`], ['Producers that wait', number(queue.blocked)]])}`;

const STATES = ['available', 'active', 'retryable', 'scheduled', 'pending', 'completed', 'cancelled', 'discarded'];

function jobs(data, { path, query }) {
  return html`<nav class="chips" aria-label="State">${STATES.map(state => html`<a href=${href('queues', [path[0], 'jobs'], { state })} aria-current=${(query.state ?? 'available') === state ? 'true' : nothing}>${state}</a>`)}
    <a href=${href('jobs', [], { queue: path[0], state: query.state ?? 'available' })}>more filters</a></nav>
    ${when(data.jobs, ({ items, pagination }) => html`${jobList(items)}${pages(pagination)}`)}`;
}

const configuration = answer => when(answer, (_, { text }) => json('In force', members(text).config, true));

export function view(data, { path, query }) {
  const here = tab(path);
  const queue = data.queue?.json ?? data.queue?.last?.json;
  const known = queue?.name !== undefined;
  return html`${heading(path[0], known ? badge(queue.state) : nothing)}
    ${known ? actions(queue) : nothing}
    <nav class="tabs" aria-label="Of this queue">${Object.entries(TABS).map(([name, label]) => html`<a href=${href('queues', [path[0], name])} aria-current=${here === name ? 'page' : nothing}>${label}</a>`)}</nav>
    ${here === 'why' ? html`${explanation(data.why)}${known ? summary(queue) : nothing}${data.history?.ok && known ? flow('Jobs per minute, last hour', data.history) : nothing}${who(data.why)}` : nothing}
    ${here === 'jobs' ? jobs(data, { path, query }) : nothing}
    ${here === 'config' ? configuration(data.queue) : nothing}
    ${here === 'events' ? when(data.events, ({ events }) => eventList(events)) : nothing}`;
}

function who(answer) {
  const value = answer?.json?.who ?? answer?.last?.json?.who;
  if (!value || !Object.keys(value).length) return nothing;
  return html`<section><h2>Who</h2>${evidence(value)}</section>`;
}
