import { html, nothing } from './lit-html.js';
import { bytes, number } from './format.js';
import { badge, button, figures, heading, notice, table, time, when } from './widgets.js';
import { begin } from './actions.js';
import { evidence, explanation } from './explanation.js';
import { state } from './store.js';

export const title = () => 'System';
export const every = 5000;
export const feeds = () => ({ why: 'ojs/v1/admin/explain', partitions: 'ojs/v1/admin/logs', overload: 'ojs/v1/admin/system/overload', aside: 'ojs/v1/admin/set-aside', maintenance: 'ojs/v1/admin/system/maintenance', config: 'ojs/v1/admin/system/config' });

const percent = value => (value === undefined ? '–' : html`<meter min="0" max="1" high="0.8" value=${value} aria-label=${`${Math.round(100 * value)}%`}></meter> ${value > 0 && value < 0.01 ? '< 1' : Math.round(100 * value)}%`);

/** A closed circuit lets requests through: say what it means. */
const answers = circuit => badge({ closed: 'answers', open: 'no answer', half_open: 'tried again' }[circuit] ?? circuit ?? '–', circuit === 'closed' ? '' : 'sign');

const columns = overload => [
  { label: 'Partition', cell: log => html`${log.log ?? log.partition} ${log.answers ? nothing : badge('does not answer', 'sign')} ${log.maintenance ? badge('maintenance', 'paused') : nothing}` },
  { label: 'Requests', hint: 'no answer: the circuit breaker of the partition is open', cell: log => answers(overload.circuits?.[log.log]) },
  { label: 'Behind', numeric: true, hint: 'of what it may be behind', cell: log => percent(overload.logs?.find(each => each.log === log.log)?.saturation) },
  { label: 'In flight', numeric: true, cell: log => { const of = overload.logs?.find(each => each.log === log.log); return of ? `${number(of.concurrency_used)} of ${number(of.concurrency_limit)}` : '–'; } },
  { label: 'Memory', numeric: true, cell: log => (log.max_memory_bytes ? percent(log.memory_bytes / log.max_memory_bytes) : bytes(log.memory_bytes)) },
  { label: 'Queues', numeric: true, cell: log => number(log.queues) },
  { label: 'Jobs', numeric: true, hint: 'that it keeps, finished ones among them', cell: log => number(log.jobs) },
  { label: 'Waiting requests', numeric: true, cell: log => number(log.waiters) },
  { label: 'Offset', numeric: true, cell: log => number(log.offset) },
  { label: 'Quarantined', numeric: true, cell: log => number(log.set_aside) },
];

const alarms = logs => logs.flatMap(log => (log.alarms ?? []).map(alarm => ({ ...alarm, partition: log.partition, log: log.log })));

function maintenance(answer) {
  const on = answer.maintenance ?? answer.enabled;
  return html`<div class="actions">${on ? notice(html`Maintenance is on${answer.reason ? `: ${answer.reason}` : ''}. No queue hands out jobs.`, 'warning') : nothing}
    ${on ? button('End maintenance', () => begin('maintenance.end', {}), { kind: 'main' }) : button('Begin maintenance…', () => begin('maintenance.begin', {}), { kind: 'danger' })}</div>`;
}

export function view(data) {
  const overload = data.overload?.json ?? data.overload?.last?.json ?? {};
  const workers = Object.entries(overload.buffers ?? {}).filter(([, value]) => value > 0);
  return html`${heading('System')}
    ${explanation(data.why)}
    ${when(data.maintenance, maintenance)}
    ${when(data.partitions, ({ logs }) => html`
      ${alarms(logs).length ? html`<h2>Alarms</h2>${table('Alarms', [
        { label: 'Alarm', cell: alarm => badge(alarm.code, 'sign') }, { label: 'Partition', cell: alarm => alarm.log }, { label: 'Since', cell: alarm => time(alarm.since) }, { label: 'What', cell: alarm => alarm.message },
        { label: 'Actions', cell: alarm => button('Acknowledge', () => begin('alarm.acknowledge', { code: alarm.code, partition: alarm.partition }), { kind: 'small' }) }], alarms(logs), alarm => alarm.log + alarm.code)}` : nothing}
      <h2>Partitions</h2>${table('Partitions', columns(overload), logs, log => log.partition)}`)}
    ${when(data.aside, ({ items }) => (items.length ? html`<h2>Quarantined</h2>${table('Quarantined', [
      { label: 'Id', cell: one => one.id }, { label: 'Since', cell: one => time(one.at ?? one.since) }, { label: 'What', cell: one => one.error ?? one.message ?? one.rule ?? '–' },
      { label: 'Actions', cell: one => html`${button('Try again', () => begin('aside.retry', one), { kind: 'small' })}${button('Give up…', () => begin('aside.discard', one), { kind: 'small danger' })}` }], items, one => one.id)}` : nothing))}
    <h2>This gateway</h2>
    ${when(data.overload, ({ saturation, levels, refused, circuits }) => html`${figures([['Kafka', answers(circuits.kafka)],
      ...Object.entries(saturation).map(([name, value]) => [name.replace('_', ' '), percent(value)]),
      ...Object.entries(levels).map(([of, level]) => [`level of ${of}`, badge(level, 'sign')]),
      ...Object.entries(refused).map(([cause, amount]) => [`rejected: ${cause}`, number(amount)])])}
      ${workers.length ? html`<details><summary>Buffers in use</summary>${figures(workers.map(([name, value]) => [name.replaceAll('_', ' '), percent(value)]))}</details>` : nothing}`)}
    ${when(data.config, config => html`<details><summary>Settings</summary>${evidence(config)}</details>`)}
    ${figures([['Version', state.session.version ?? '–'], ['Clock of this machine', Math.abs(state.skew) > 2000 ? `${Math.round(state.skew / 1000)} s behind the server` : 'as the server\'s']])}`;
}
