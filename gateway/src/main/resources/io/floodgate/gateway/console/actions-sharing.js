// What can be changed about who shares workers: turns of tenants in a queue, and queues in a pool.
import { encode } from './api.js';
import { register } from './actions.js';

const toText = weights => Object.entries(weights ?? {}).map(([name, weight]) => `${name} ${weight}`).join(', ');

/** "acme 3, initech" as names with weights, 1 where none is typed. What is not a number is left for the server to reject. */
const toWeights = text => Object.fromEntries(text.split(',').map(each => each.trim()).filter(Boolean).map(each => {
  const [, name, weight] = each.match(/^(.*?)\s+(\S+)$/) ?? [null, each, '1'];
  return [name, /^\d+$/.test(weight) ? Number(weight) : weight];
}));

const turns = fairness => (fairness ? `tenants take turns${fairness.weights ? ` (${toText(fairness.weights)})` : ''}` : 'by arrival');

const CONFIG = name => `ojs/v1/queues/${encode(name)}/config`;
const POOL = name => `ojs/v1/admin/pools/${encode(name)}`;
const ORDERS = { strict: 'Always as they are named.', 'round-robin': 'Each queue is first in turn.', weighted: 'Each queue is first as often as its weight says.', 'least-loaded': 'The queue with the most jobs that wait is first.' };
const poolFields = s => [{ name: 'queues', label: 'Queues with their weights from 1 to 1,000, for instance "critical 5, default 1"', value: toText(s.weights) },
  { name: 'strategy', label: 'Order', options: Object.keys(ORDERS), value: s.strategy ?? 'weighted' }];
const poolBody = values => ({ queues: Object.keys(toWeights(values.queues)), strategy: values.strategy, weights: toWeights(values.queues) });

register({
  'queue.turns': { label: 'Turns of tenants…', kind: 'A', effect: s => `Jobs of queue ${s.name} start in this order now: ${turns(s.fairness)}. With turns, the jobs of one tenant do not delay those of another.`,
    fields: s => [{ name: 'turns', label: 'Tenants take turns', options: ['yes', 'no'], value: s.fairness === undefined || s.fairness ? 'yes' : 'no' },
      { name: 'weights', label: 'Weights from 1 to 100, for instance "acme 3, * 1" (empty: all the same)', value: toText(s.fairness?.weights) }],
    hint: (s, v) => (v.turns === 'no' ? 'The job that came first is next, of whichever tenant.' : v.weights.trim() ? 'Tenants that wait start jobs in the proportion of their weights; who is not named has that of *, or 1.' : 'Tenants that wait start one job each in turn.'),
    send: (s, v) => ({ method: 'PUT', path: CONFIG(s.name), body: { tenant_fairness: v.turns === 'no' ? false : v.weights.trim() ? { weights: toWeights(v.weights) } : true } }), done: s => `The order of ${s.name} is set.`, undo: 'queue.turns.before' },
  'queue.turns.before': { send: s => ({ method: 'PUT', path: CONFIG(s.name), body: { tenant_fairness: s.fairness ?? null } }), done: s => `the order of ${s.name} is ${turns(s.fairness)}.` },
  'pool.set': { label: 'Change…', kind: 'A', effect: s => `Workers that name pool ${s.name} are given jobs of its queues in this order, within 2 s. Jobs that run go on.`, fields: s => poolFields(s),
    hint: (s, v) => ORDERS[v.strategy], send: (s, v) => ({ method: 'PUT', path: POOL(s.name), body: poolBody(v) }), done: s => `Pool ${s.name} is changed.`, undo: 'pool.before' },
  'pool.add': { label: 'New pool…', kind: 'B', effect: () => 'Workers that name the pool are given jobs of its queues in its order.', fields: s => [{ name: 'name', label: 'Name', max: 255, value: '' }, ...poolFields(s)],
    hint: (s, v) => (s.names.includes(v.name) ? `There is a pool of this name: it would be replaced.` : ORDERS[v.strategy]), send: (s, v) => ({ method: 'PUT', path: POOL(v.name), body: poolBody(v) }), done: (s, answer) => `Pool ${answer.pool.name} is there.` },
  'pool.delete': { label: 'Delete', kind: 'A', effect: s => `Workers that name pool ${s.name} and no queues are rejected until there is a pool of this name again. Jobs stay.`, send: s => ({ method: 'DELETE', path: POOL(s.name) }), done: s => `Pool ${s.name} is deleted.`, undo: 'pool.before' },
  'pool.before': { send: s => ({ method: 'PUT', path: POOL(s.name), body: { queues: s.queues, strategy: s.strategy, weights: s.weights } }), done: s => `pool ${s.name} is as it was.` },
});
