import { html, nothing } from './lit-html.js';
import { duration, inZone, number } from './format.js';
import { href, within } from './router.js';
import { badge, button, heading, jobLink, pages, queueLink, table, time, when } from './widgets.js';
import { begin } from './actions.js';
import { search } from './page-queues.js';
import { now } from './store.js';
import { stable } from './order.js';
import { preview } from './page-schedule.js';

const SHOWS = { '': 'all', true: 'enabled', false: 'paused' };

export const title = () => 'Schedules';
export const every = 5000;
export const feeds = ({ query }) => ({
  schedules: `ojs/v1/cron?${new URLSearchParams({ last: 'true', limit: 25, ...(query.enabled ? { enabled: query.enabled } : {}), ...(query.queue ? { queue: query.queue } : {}), ...(query.offset ? { offset: query.offset } : {}) })}`,
});

const REASONS = {
  overlap_skip: 'an earlier run has not ended', dst_skip: 'clocks were set ahead: the time does not exist', missed: 'no processor was there in time', disabled: 'it was paused', cancelled: 'it was cancelled while it waited for room',
  queue_full: 'the queue was full', queue_draining: 'the queue is being deleted', type_not_allowed: 'the queue does not take this type', producer_not_allowed: 'the queue does not take jobs of who registered it', too_many_unfinished: 'a thousand runs have not ended',
};

/** What became of an occurrence, and why. */
export const outcome = each => (each.outcome === 'skipped'
  ? html`<span class="severity warning"><span aria-hidden="true">●</span> skipped</span>${each.count > 1 ? html` ${number(each.count)} times` : nothing}: ${REASONS[each.reason] ?? each.reason}`
  : html`${each.state === 'unfinished' ? html`<span class="badge">not ended</span>` : badge(each.state)} ${each.manual ? 'by hand, ' : ''}${jobLink(each.job_id)}`);

// What is due within the age of the list is due now.
const AGE = 8000;

/** When it is due, by the clocks of its zone and by those of who looks. */
function due(at, zone) {
  if (!at) return '–';
  const [there, here] = [inZone(at, zone), inZone(at)];
  return html`${now() - Date.parse(at) < AGE && Date.parse(at) < now() ? 'now' : time(at)}${there === here ? nothing : html`<br><span class="quiet clocks" title=${zone}>${there} there</span>`}<br><span class="quiet clocks">${here} here</span>`;
}

export function actions(schedule, kind = '') {
  const about = { name: schedule.name };
  return html`${schedule.enabled ? button(kind ? 'Pause' : 'Pause…', () => begin('cron.pause', about), { kind, id: 'cron.pause' }) : button('Resume', () => begin('cron.resume', about), { kind, id: 'cron.resume' })}
    ${button('Run now…', () => begin('cron.trigger', about), { kind, id: 'cron.trigger' })}
    ${kind ? nothing : button('Backfill…', () => begin('cron.backfill', about), { kind, id: 'cron.backfill' })}`;
}

const columns = [
  { label: 'Schedule', cell: s => html`<a href=${href('schedules', [s.name])}>${s.name}</a> ${s.enabled ? nothing : badge('paused')}${s.description ? html`<br><span class="quiet">${s.description}</span>` : nothing}` },
  { label: 'Expression', cell: s => html`<code>${s.expression}</code><br><span class="quiet">${s.timezone}</span>` },
  { label: 'Queue', cell: s => queueLink(s.queue) },
  { label: 'Next run', cell: s => due(s.next_run_at, s.timezone) },
  { label: 'Last outcome', cell: s => (s.last_outcome ? html`${outcome(s.last_outcome)}<br><span class="quiet">was due ${time(s.last_outcome.scheduled_at)}</span>` : 'not due yet') },
  { label: 'Late', numeric: true, hint: 'from the time when it was due to when its queue had the job', cell: s => (s.last_outcome?.outcome === 'triggered' ? duration(s.last_outcome.late_ms) : '–') },
  { label: 'Run, skipped', numeric: true, hint: 'since it was registered', cell: s => `${number(s.run_count)}, ${number(s.skipped_count)}` },
  { label: 'Actions', cell: s => html`<span class="actions">${actions(s, 'small')}</span>` },
];

export function view(data, { query }) {
  return html`${heading('Schedules')}
    <form class="filters" role="search" @submit=${event => event.preventDefault()}>
      <label>Queue <input type="search" id="search" .value=${query.queue ?? ''} @input=${event => search(event.target.value.trim(), 'queue')}></label>
      <nav class="chips" aria-label="Show">${Object.entries(SHOWS).map(([enabled, label]) => html`<a href=${within({ enabled })} aria-current=${(query.enabled ?? '') === enabled ? 'true' : nothing}>${label}</a>`)}</nav>
    </form>
    ${when(data.schedules, ({ items, pagination }) => html`${table('Schedules', columns, stable('schedules', items, s => s.name), s => s.name, { empty: query.queue || query.enabled ? 'No schedule is like that.' : 'No schedule yet: POST /ojs/v1/cron registers one.' })}${pages(pagination)}`)}
    ${preview()}`;
}
