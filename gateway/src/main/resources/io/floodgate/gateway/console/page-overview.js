import { html, nothing } from './lit-html.js';
import { repeat } from './lit-repeat.js';
import { count, number, rate, share } from './format.js';
import { href } from './router.js';
import { figures, heading, lasting, meter, queueLink, severity, notice } from './widgets.js';
import { age, OLD, state } from './store.js';
import { flow } from './chart.js';
import { one } from './explanation.js';
import { isConfined } from './api.js';

export const title = () => 'Overview';
export const every = 10000;
export const feeds = () => (isConfined() ? {} : { history: 'ojs/v1/admin/stats/history?period=1m&since=1h' });

const PLACES = { queue: name => href('queues', [name]), worker: name => href('workers', [name]), limit: name => href('limits', [name]), tenant: name => href('tenants', [name]), schedule: name => href('schedules', [name]), workflow: name => href('workflows', [name]), webhook: () => href('webhooks'), source: name => href('sources', [name]), system: () => href('system') };

const named = ({ kind, name }) => (kind === 'system' ? 'server' : `${kind} ${name}`);
const subject = of => html`<a href=${PLACES[of.kind]?.(of.name) ?? '#/'}>${named(of)}</a>`;

/** Where all that are alike are listed. */
const LISTS = { worker: () => href('workers'), tenant: () => href('tenants'), limit: () => href('limits'), schedule: () => href('schedules'), webhook: () => href('webhooks'), source: () => href('sources'), workflow: list => href('workflows', [], { state: new URLSearchParams(list.split('?')[1]).get('state') }),
  queue: list => href('queues', [], { show: new URLSearchParams(list.split('?')[1]).get('show') }) };

const several = group => html`<details class="card ${group.finding.severity}">
  <summary>${severity(group.finding.severity)} <span class="where">${count(group.count, group.subject.kind)}</span> <span class="what">${group.finding.code.replaceAll('_', ' ')}</span>
    <span class="quiet">${group.jobs ? html`${count(group.jobs, 'job')}${group.not_examined ? ' or more' : ''} · ` : nothing}the worst: ${group.subject.name}</span></summary>
  <ul>${group.examples.map(each => html`<li>${subject(each.subject)}: ${each.title}</li>`)}</ul>
  ${group.not_examined ? html`<p class="quiet">${number(group.not_examined)} of them show the same sign, and were not examined one by one.</p>` : nothing}
  ${LISTS[group.subject.kind] ? html`<p class="more"><a href=${LISTS[group.subject.kind](group.list)}>List all ${count(group.count, group.subject.kind)}</a></p>` : nothing}</details>`;

const single = (problem, open) => html`<details class="card ${problem.finding.severity}" ?open=${open}>
  <summary>${severity(problem.finding.severity)} <span class="where">${named(problem.subject)}</span> <span class="what">${problem.finding.title}</span>
    <span class="quiet">${problem.jobs ? count(problem.jobs, 'job') : ''} ${problem.finding.since ? html`· for ${lasting(problem.finding.since)}` : nothing}</span></summary>
  ${one(problem.finding, problem, { first: true, old: age() > OLD || !problem.exact })}
  <p class="more">More: ${subject(problem.subject)}</p></details>`;

/** The worst one with what to do about it; the others as a line each, which opens. */
function problems(overview) {
  const { problems: found, more_problems: more, ungrouped } = overview;
  if (!found.length) return html`<p class="well">${severity('ok', 'Nothing needs your attention.')}</p>`;
  const first = found.find(group => group.count === 1);
  return html`<section aria-label="What needs attention">
    ${repeat(found, group => `${group.subject.kind} ${group.finding.code} ${group.finding.severity} ${group.count > 1 ? '' : group.subject.name}`, group => (group.count > 1 ? several(group) : single(group, group === first)))}
    ${more ? html`<p class="quiet">${number(more)} more are not shown.</p>` : nothing}
    ${ungrouped ? html`<p class="quiet"><a href=${href('queues', [], { show: 'suspect' })}>${count(ungrouped, 'more queue')}</a> may have a problem, and were not examined yet.</p>` : nothing}</section>`;
}

const top = (name, rows, label, value) => html`<section class="top"><h2>${name}</h2>
  ${rows.length ? html`<table data-list><caption class="hidden">${name}</caption><thead><tr><th scope="col">Queue</th><th scope="col" class="n">${label}</th></tr></thead>
    <tbody>${repeat(rows, row => row.name, row => html`<tr><th scope="row">${queueLink(row.name)}</th><td class="n">${value(row)}</td></tr>`)}</tbody></table>` : html`<p class="quiet">None.</p>`}</section>`;

export function view(data) {
  const overview = state.overview?.json;
  if (!overview) return html`${heading('Overview')}<p class="loading" aria-busy="true">Loading …</p>`;
  const { jobs, queues, workers, top: tops } = overview;
  const list = (show, label) => html`<a href=${href('queues', [], { show })}>${number(queues[show])} ${label}</a>`;
  return html`${heading('Overview')}
    ${queues.total === 0 ? notice(html`No queue yet. The first job makes one: <code>curl ${location.origin}/ojs/v1/jobs -H 'Content-Type: application/json' -d '{"type": "email.send", "queue": "email", "args": []}'</code>`) : nothing}
    ${problems(overview)}
    ${figures([
      ['Waiting', html`<a href=${href('jobs', [], { state: 'available' })}>${number(jobs.available)}</a>`, 'jobs that are available'],
      ['Running', html`<a href=${href('jobs', [], { state: 'active' })}>${number(jobs.active)}</a>`],
      ['To retry', html`<a href=${href('jobs', [], { state: 'retryable' })}>${number(jobs.retryable)}</a>`, 'jobs that wait for their next attempt'],
      ['For later', html`<a href=${href('jobs', [], { state: 'scheduled' })}>${number(jobs.scheduled + jobs.pending)}</a>`, 'scheduled or not activated'],
      ['Dead letters', html`<a href=${href('dead')}>${number(jobs.dead)}</a>`],
      ['Offered', rate(jobs.fills_per_second), 'jobs that producers send, by the last 10 s or, of few jobs, minutes'],
      ['Leave', rate(jobs.drains_per_second), 'jobs that end, by the last 10 s or, of few jobs, minutes'],
      ['Failed runs, 1 h', html`${share(jobs.failed_last_hour, jobs.failed_last_hour + jobs.completed_last_hour)} <span class="quiet">of ${number(jobs.failed_last_hour + jobs.completed_last_hour)}</span>`],
      ['Queues', html`${number(queues.total)} <span class="quiet">${list('full', 'full')}, ${list('paused', 'paused')}</span>`],
      workers && ['Workers', html`<a href=${href('workers')}>${number(workers.running)}</a> <span class="quiet">${number(workers.quiet)} quiet, ${number(workers.stale)} lost</span>`],
    ])}
    ${isConfined() ? nothing : flow('All queues, jobs per minute, last hour', data.history)}
    <div class="tops">
      ${top('Fullest', tops.fullest, 'Full', row => meter(row.depth, row.bound, row.pressure))}
      ${top('Oldest waiting', tops.oldest, 'Oldest', row => lasting(row.oldest_available_at))}
      ${top('Failing most, 1 h', tops.failing, 'Failed runs', row => html`${share(row.failed_last_hour, row.failed_last_hour + row.completed_last_hour)} <span class="quiet">of ${number(row.failed_last_hour + row.completed_last_hour)}</span>`)}
      ${top('Busiest', tops.busiest, 'Leave', row => rate(row.drains_per_second))}
    </div>`;
}
