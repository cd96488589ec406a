import { html, nothing } from './lit-html.js';
import { duration, inZone, number } from './format.js';
import { encode, request, sentence } from './api.js';
import { badge, button, figures, heading, json, jobLink, notice, queueLink, table, time, when } from './widgets.js';
import { explanation } from './explanation.js';
import { members } from './json.js';
import { update } from './store.js';
import { actions, outcome } from './page-schedules.js';

export const title = ({ path }) => `schedule ${path[0]}`;
export const every = 3000;
const one = path => `ojs/v1/cron/${encode(path[0])}`;
export const feeds = ({ path }) => ({ schedule: one(path), why: `${one(path)}/explain`, next: `${one(path)}/next?count=10`, history: `${one(path)}/history` });

const occurrences = (caption, { next, skipped, timezone }) => table(caption, [
  { label: timezone, cell: each => html`${each.local.replace('T', ' ')} <span class="quiet">${each.offset === 'Z' ? '' : each.offset}</span>` },
  { label: 'Here', cell: each => inZone(each.at) },
  { label: 'Due', numeric: true, cell: each => time(each.at) },
  { label: 'Remark', cell: each => (each.remark ? html`<span class="severity warning" aria-hidden="true">●</span> ${each.remark}${each.count > 1 ? ` (${number(each.count)})` : ''}` : '') },
], [...next, ...skipped].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)), each => each.at + (each.count ?? ''), { empty: 'Never again.' });

const history = ({ executions }) => html`<section><h2>Outcomes</h2><p class="quiet">The last 50 at most.</p>${table('Outcomes', [
  { label: 'Was due', cell: each => time(each.scheduled_at) },
  { label: 'Outcome', cell: outcome },
  { label: 'Late', numeric: true, cell: each => (each.outcome === 'triggered' ? duration(each.late_ms) : '–') },
  { label: 'Ended', numeric: true, cell: each => time(each.completed_at) },
], executions, each => `${each.scheduled_at} ${each.job_id ?? each.reason}`, { empty: 'It was not due yet.' })}</section>`;

// ---- what an expression means, before it is registered
const draft = { of: null, expression: '', timezone: '', answer: null };

async function ask(event) {
  event.preventDefault();
  const { expression, timezone } = draft;
  draft.answer = await request('POST', 'ojs/v1/cron/preview?count=10', { expression, ...(timezone ? { timezone } : {}) });
  update();
}

/** @param schedule whose expression stands in the fields at first; none on the list of all */
export function preview(schedule = { name: '', expression: '0 9 * * MON-FRI', timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }) {
  if (draft.of !== schedule.name) Object.assign(draft, { of: schedule.name, expression: schedule.expression, timezone: schedule.timezone, answer: null });
  const field = (name, label) => html`<label>${label} <input id=${`preview-${name}`} .value=${draft[name]} @input=${event => { draft[name] = event.target.value.trim(); update(); }}></label>`;
  const { answer } = draft;
  return html`<section><h2>Preview of an expression</h2><form class="filters" @submit=${ask}>${field('expression', 'Expression')}${field('timezone', 'Time zone')}${button('Preview', ask, { disabled: !draft.expression, id: 'cron.preview' })}</form>
    <div aria-live="polite">${!answer ? nothing : !answer.ok ? notice(sentence(answer), 'problem')
      : html`${answer.json.warnings.map(text => notice(text, 'warning'))}${occurrences('Preview', answer.json)}`}</div></section>`;
}

export function view(data, { path }) {
  const answer = data.schedule?.ok ? data.schedule : data.schedule?.last;
  const schedule = answer?.json?.cron;
  return html`${heading(path[0], schedule && !schedule.enabled ? badge('paused') : nothing)}
    ${schedule ? html`${schedule.description ? html`<p>${schedule.description}</p>` : nothing}<div class="actions">${actions(schedule)}</div>` : nothing}
    ${explanation(data.why)}
    ${schedule ? html`${figures([
      ['Expression', html`<code>${schedule.expression}</code>`], ['Time zone', schedule.timezone], ['Queue', queueLink(schedule.queue)], ['Type', schedule.type], ['Overlap', schedule.overlap_policy, 'while an earlier run has not ended'],
      ['Catch-up', `${schedule.catch_up}, up to ${duration(schedule.catch_up_window_ms)}`, 'what becomes of occurrences while no processor is there'], schedule.jitter_ms && ['Jitter', `up to ${duration(schedule.jitter_ms)}`], schedule.max_wait_ms && ['Waits for room', `up to ${duration(schedule.max_wait_ms)}`],
      ['Runs', number(schedule.run_count)], ['Skipped', number(schedule.skipped_count)], ['Last success', time(schedule.last_success_at)], ['Registered', html`${time(schedule.created_at)}${schedule.registered_by ? html` by ${schedule.registered_by}` : nothing}`],
      schedule.managed_by && ['Managed by', schedule.managed_by, 'it is in the list that this manager registers'], schedule.tzdata && ['Time zone data', schedule.tzdata],
      schedule.running?.length && ['Not ended', schedule.running.slice(0, 5).map(id => (schedule.waits_for_run?.includes(id) ? html`<span class="quiet">${id} waits for the run before it</span> ` : html`${jobLink(id)} `))]])}
      <section><h2>Next runs</h2>${schedule.enabled ? nothing : notice('It is paused: these would be its next runs.', 'warning')}${when(data.next, next => occurrences('Next runs', next))}</section>
      ${when(data.history, history)}
      ${preview(schedule)}
      ${json('Job', members(members(answer.text).cron).job_template, false)}` : nothing}`;
}
