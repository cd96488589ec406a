import { html, nothing } from './lit-html.js';
import { number } from './format.js';
import { encode } from './api.js';
import { badge, button, figures, heading, jobLink, lasting, pages, queueLink, table, time, when } from './widgets.js';
import { begin, register } from './actions.js';
import { href } from './router.js';
import { evidence } from './explanation.js';

const ALL = 'ojs/v1/webhooks/subscriptions';
const ONE = id => `${ALL}/${encode(id)}`;
const list = text => text.split(',').map(each => each.trim()).filter(each => each);
const ago = () => new Date(Date.now() - 3600e3).toISOString();

register({
  'webhook.add': { label: 'Subscribe…', kind: 'B', effect: () => 'Events are posted to the URL from now on, signed with a secret that is shown once.',
    fields: () => [{ name: 'url', label: 'URL (https)', max: 2048, value: '' }, { name: 'events', label: 'Types of events, for instance "job.completed, job.discarded" or "job.*"', value: 'job.completed, job.discarded' }, { name: 'queues', label: 'Queues (empty: all)', value: '' },
      { name: 'ordered', label: 'A delivery waits for the one before', options: ['yes', 'no'], value: 'yes' }],
    send: (s, v) => ({ method: 'POST', path: ALL, body: { url: v.url, events: list(v.events), ...(v.queues.trim() ? { filter: { queues: list(v.queues) } } : {}), ordered: v.ordered === 'yes' } }), done: (s, answer) => `Subscribed. The secret, which is not shown again: ${answer.secret}` },
  'webhook.pause': { label: 'Pause', kind: 'A', effect: () => 'Nothing is delivered until it is activated. What happens meanwhile is delivered by a replay only.', send: s => ({ method: 'PATCH', path: ONE(s.id), body: { active: false } }), done: () => 'The subscription is paused.', undo: 'webhook.activate' },
  'webhook.activate': { label: 'Activate', kind: 'A', effect: () => 'Events are delivered from now on.', send: s => ({ method: 'PATCH', path: ONE(s.id), body: { active: true } }), done: () => 'The subscription is active.', undo: 'webhook.pause' },
  'webhook.test': { label: 'Test', kind: 'A', effect: s => `${s.url} is called with an event of type webhook.test.`, send: s => ({ method: 'POST', path: `${ONE(s.id)}/test`, body: {} }), done: (s, answer) => (answer.success ? `Answered with ${answer.status_code} after ${number(answer.response_time_ms)} ms.` : `It failed: ${answer.error ?? answer.status_code}`) },
  'webhook.replay': { label: 'Replay…', kind: 'B', effect: () => 'Events since this time are delivered again, as far as they are kept. Subscribers see other delivery ids.', fields: () => [{ name: 'from', label: 'From (RFC 3339)', value: ago() }],
    send: (s, v) => ({ method: 'POST', path: `${ONE(s.id)}/replay`, body: { from: v.from } }), done: () => 'Past events are being delivered.' },
  'webhook.rotate': { label: 'New secret…', kind: 'B', effect: () => 'Deliveries are signed with the new secret and, for 24 h, with the present one.', send: s => ({ method: 'POST', path: `${ONE(s.id)}/rotate-secret`, body: {} }), done: (s, answer) => `The new secret, which is not shown again: ${answer.secret}` },
  'webhook.delete': { label: 'Delete…', kind: 'D', typed: s => s.id.slice(-6), effect: s => `The subscription of ${s.url} goes, with the deliveries that wait.`, send: s => ({ method: 'DELETE', path: ONE(s.id) }), done: () => 'The subscription is deleted.' },
  'webhook.retry': { label: 'Retry', kind: 'B', effect: () => 'It is delivered again as soon as possible.', send: s => ({ method: 'POST', path: `ojs/v1/webhooks/deliveries/${encode(s.id)}/retry`, body: {} }), done: () => 'It is tried again.' },
});

export const title = ({ path }) => (path[0] ? `webhook ${path[0]}` : 'Webhooks');
export const every = 5000;
export const feeds = ({ path, query }) => (path[0]
  ? { webhook: ONE(path[0]), deliveries: `ojs/v1/webhooks/deliveries?${new URLSearchParams({ subscription_id: path[0], limit: 50, ...(query.status ? { status: query.status } : {}) })}` }
  : { webhooks: `${ALL}?limit=100${query.offset ? `&offset=${query.offset}` : ''}` });

const standing = hook => (!hook.active ? badge('paused', 'sign') : hook.failing_since ? badge('failing', 'sign') : hook.delivered ? badge('delivers') : badge('new'));

const columns = [
  { label: 'URL', cell: hook => html`<a href=${href('webhooks', [hook.id])}>${hook.url}</a> ${standing(hook)}` },
  { label: 'Events', cell: hook => hook.events.join(', ') },
  { label: 'Waiting in', cell: hook => queueLink(hook.queue) },
  { label: 'Delivered', numeric: true, cell: hook => number(hook.delivered) },
  { label: 'Failed', numeric: true, hint: 'attempts that failed', cell: hook => number(hook.failed) },
  { label: 'Dead', numeric: true, hint: 'deliveries that failed for good', cell: hook => number(hook.dead) },
  { label: 'Failing for', numeric: true, cell: hook => lasting(hook.failing_since) },
  { label: 'Last delivery', numeric: true, cell: hook => time(hook.last_delivery_at) },
];

const ofDelivery = [
  { label: 'Event', cell: each => html`${jobLink(each.id.slice(4))} ${each.event_type}` },
  { label: 'Status', cell: each => badge(each.status, each.status === 'dead' ? 'sign' : '') },
  { label: 'Attempts', numeric: true, cell: each => `${number(each.attempt)} of ${number(each.max_attempts)}` },
  { label: 'Made', numeric: true, cell: each => time(each.created_at) },
  { label: 'Last error', cell: each => each.error?.message ?? each.failed_attempts?.at(-1)?.message ?? '' },
  { label: 'Actions', cell: each => (['dead', 'retrying'].includes(each.status) ? button('Retry', () => begin('webhook.retry', each), { kind: 'small', id: 'webhook.retry' }) : nothing) },
];

const act = (id, hook, label) => button(label, () => begin(id, hook), { id });

function one(data, id) {
  const hook = data.webhook?.json?.id ? data.webhook.json : data.webhook?.last?.json;
  return html`${heading(hook?.url ?? id, hook ? standing(hook) : nothing)}
    ${hook ? html`<div class="actions">${hook.active ? act('webhook.pause', hook, 'Pause') : act('webhook.activate', hook, 'Activate')} ${act('webhook.test', hook, 'Test')} ${act('webhook.replay', hook, 'Replay…')} ${act('webhook.rotate', hook, 'New secret…')} ${act('webhook.delete', hook, 'Delete…')}</div>
      ${figures([['Delivered', number(hook.delivered)], ['Failed attempts', number(hook.failed)], ['Dead', number(hook.dead)], ['Waiting in', queueLink(hook.queue)],
    hook.failing_since && ['Failing for', lasting(hook.failing_since)], hook.paused_because && ['Paused', hook.paused_because], hook.last_error && ['Last error', hook.last_error]])}
      <section><h2>What it gets</h2>${evidence({ events: hook.events, ...(hook.filter ?? {}), ordered: hook.ordered, timeout_ms: hook.timeout_ms, ...(hook.metadata ? { metadata: hook.metadata } : {}) })}</section>` : nothing}
    <h2>Deliveries</h2>${when(data.deliveries, ({ deliveries, pagination }) => html`${table('Deliveries', ofDelivery, deliveries, each => each.id, { empty: 'No event has been delivered yet.' })}${pages(pagination)}`)}`;
}

export function view(data, { path }) {
  if (path[0]) return one(data, path[0]);
  return html`${heading('Webhooks')}<div class="actions">${button('Subscribe…', () => begin('webhook.add', {}), { id: 'webhook.add' })}</div>
    ${when(data.webhooks, ({ subscriptions, pagination }) => html`${table('Webhook subscriptions', columns, subscriptions, hook => hook.id, { empty: 'There is no subscription. Events can be posted to a URL of yours, signed, in order and again until they arrive.' })}${pages(pagination)}`)}`;
}
