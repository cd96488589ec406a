import { html, nothing } from './lit-html.js';
import { number } from './format.js';
import { encode } from './api.js';
import { badge, button, figures, heading, lasting, pages, queueLink, table, time, when } from './widgets.js';
import { begin, register } from './actions.js';
import { explanation } from './explanation.js';
import { href } from './router.js';

const ALL = 'ojs/v1/admin/sources';
const ONE = name => `${ALL}/${encode(name)}`;
const place = text => (text.trim().startsWith('{') ? JSON.parse(text) : text.trim());
const to = () => [{ name: 'to', label: 'From: earliest, latest, a time (RFC 3339), or offsets such as {"0": 1500}', max: 8192, value: 'earliest' }];

register({
  'source.add': { label: 'Read a topic…', kind: 'B', effect: () => 'Each record of the topic becomes a job of the queue, once and in order. Paths such as $.value.id and $.key lead into the record.',
    fields: () => [{ name: 'name', label: 'Name of the source', max: 64, value: '' }, { name: 'topic', label: 'Topic', max: 249, value: '' }, { name: 'queue', label: 'Queue', max: 255, value: '' },
      { name: 'value', label: 'Values are', options: ['json', 'confluent_json', 'text', 'base64'], value: 'json' }, { name: 'job', label: 'Job, as JSON', max: 16384, value: '{"type": "record.received", "args": ["$.value"]}' },
      { name: 'dead', label: 'Topic of records that cannot become jobs (may be empty)', max: 249, value: '' }, { name: 'start', label: 'From: earliest, latest, a time (RFC 3339), or offsets such as {"0": 1500}', max: 8192, value: 'earliest' }],
    send: (s, v) => ({ method: 'PUT', path: ONE(v.name.trim()), body: { topic: v.topic.trim(), queue: v.queue.trim(), value: v.value, job: JSON.parse(v.job), ...(v.dead.trim() ? { dead_letter_topic: v.dead.trim() } : {}), start: place(v.start) } }), done: () => 'The topic is read.' },
  'source.pause': { label: 'Pause', kind: 'A', effect: () => 'Records stay in their topic until it is resumed.', send: s => ({ method: 'PATCH', path: ONE(s.name), body: { paused: true } }), done: () => 'The source is paused.', undo: 'source.resume' },
  'source.resume': { label: 'Resume', kind: 'A', effect: () => 'Records come in from where it was paused.', send: s => ({ method: 'PATCH', path: ONE(s.name), body: { paused: false } }), done: () => 'The source is read.', undo: 'source.pause' },
  'source.count': { label: 'Count…', kind: 'B', effect: () => 'Says how many records would be read again. Nothing is changed.', fields: to, send: (s, v) => ({ method: 'POST', path: `${ONE(s.name)}/rewind`, body: { to: place(v.to), dry_run: true } }), done: (s, answer) => `${number(answer.records)} records would be read again.` },
  'source.rewind': { label: 'Rewind…', kind: 'D', typed: s => s.name, effect: () => 'Records that are read again become jobs again.', fields: to, send: (s, v) => ({ method: 'POST', path: `${ONE(s.name)}/rewind`, body: { to: place(v.to) } }), done: () => 'The topic is read again.' },
  'source.delete': { label: 'Delete…', kind: 'D', typed: s => s.name, effect: s => `${s.topic} is not read any more. Its records and the jobs that they have become stay.`, send: s => ({ method: 'DELETE', path: ONE(s.name) }), done: () => 'The source is deleted.' },
});

export const title = ({ path }) => (path[0] ? `source ${path[0]}` : 'Sources');
export const every = 5000;
export const feeds = ({ path, query }) => (path[0] ? { source: ONE(path[0]), why: `${ONE(path[0])}/explain` } : { sources: `${ALL}?limit=50${query.offset ? `&offset=${query.offset}` : ''}` });

const state = source => badge(source.state.replace('_', ' '), source.state === 'reading' || source.state === 'opening' ? '' : 'sign');

const columns = [
  { label: 'Source', cell: s => html`<a href=${href('sources', [s.name])}>${s.name}</a> ${state(s)}` },
  { label: 'Topic', cell: s => html`<code>${s.topic}</code>` },
  { label: 'Queue', cell: s => queueLink(s.queue) },
  { label: 'Lag', numeric: true, hint: 'records that have not come in', cell: s => number(s.lag) },
  { label: 'Records per second', numeric: true, hint: 'that came in since the last look', cell: s => number(s.records_per_second) },
  { label: 'Stands still for', numeric: true, hint: 'records wait, and none comes in', cell: s => lasting(s.still_since) },
];

const partitions = [
  { label: 'Partition', cell: each => number(each.partition) },
  { label: 'Position', numeric: true, hint: 'the offset of the next record that comes in', cell: each => number(each.position) },
  { label: 'End', numeric: true, cell: each => number(each.end) },
  { label: 'Lag', numeric: true, cell: each => number(each.lag) },
];

const act = (id, source, label) => button(label, () => begin(id, source), { id });

function one(data, name) {
  const source = data.source?.ok ? data.source.json : data.source?.last?.json;
  return html`${heading(name, source ? state(source) : nothing)}
    ${source ? html`<div class="actions">${source.paused ? act('source.resume', source, 'Resume') : act('source.pause', source, 'Pause')} ${act('source.count', source, 'Count…')} ${act('source.rewind', source, 'Rewind…')} ${act('source.delete', source, 'Delete…')}</div>` : nothing}
    ${explanation(data.why)}
    ${source ? html`${figures([['Lag', number(source.lag)], ['Records per second', number(source.records_per_second)], ['Topic', html`<code>${source.topic}</code>`], ['Queue', queueLink(source.queue)],
      ['Values', source.value], ['Began with', typeof source.start === 'object' ? JSON.stringify(source.start) : source.start], source.dead_letter_topic && ['Dead letters', html`<code>${source.dead_letter_topic}</code>`], ['Made', time(source.created_at)]])}
      <section><h2>The job that becomes of a record</h2><pre>${JSON.stringify(source.job, null, 2)}</pre></section>
      <section><h2>Partitions</h2>${table('Partitions', partitions, source.partitions ?? [], each => each.partition, { empty: 'Kafka does not say.' })}</section>` : nothing}`;
}

export function view(data, { path }) {
  if (path[0]) return one(data, path[0]);
  return html`${heading('Sources')}<div class="actions">${button('Read a topic…', () => begin('source.add', {}), { id: 'source.add' })}</div>
    ${when(data.sources, ({ sources, pagination }) => html`${table('Sources', columns, sources, s => s.name, { empty: 'There is no source. The records of any topic can become jobs of a queue, each once and in order.' })}${pages(pagination)}`)}`;
}
