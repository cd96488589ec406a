import { html, nothing } from './lit-html.js';
import { encode } from './api.js';
import { badge, button, copyButton, figures, heading, json, keyLink, queueLink, scheduleLink, time, when, workerLink, workflowLink } from './widgets.js';
import { begin } from './actions.js';
import { explanation } from './explanation.js';
import { decoding } from './codec.js';
import { duration, number } from './format.js';
import { members } from './json.js';

export const title = ({ path }) => `job ${path[0].slice(0, 8)}…`;
export const every = 2000;
export const feeds = ({ path }) => ({ job: `ojs/v1/jobs/${encode(path[0])}`, why: `ojs/v1/jobs/${encode(path[0])}/explain`, history: `ojs/v1/jobs/${encode(path[0])}/history` });

const ENDED = ['completed', 'cancelled', 'discarded'];

function actions(job) {
  const ended = ENDED.includes(job.state);
  return html`<div class="actions">
    ${['discarded', 'cancelled', 'retryable'].includes(job.state) ? button('Retry…', () => begin('job.retry', job), { kind: job.state === 'discarded' ? 'main' : '', id: 'job.retry' }) : nothing}
    ${job.order_key && ['retryable', 'scheduled', 'pending'].includes(job.state) ? button('Skip…', () => begin('job.skip', job), { id: 'job.skip' }) : nothing}
    ${ended ? nothing : button('Cancel…', () => begin('job.cancel', job), { id: 'job.cancel' })}
    ${ended || job.state === 'active' ? nothing : button('Priority…', () => begin('job.priority', job))}
    ${ended ? button('Delete…', () => begin('job.delete', job), { kind: 'danger' }) : nothing}</div>`;
}

const EVENTS = { 'job.created': 'came', 'job.attempt_started': 'run began', 'job.attempt_failed': 'run failed', 'job.completed': 'completed', 'job.discarded': 'discarded', 'job.cancelled': 'cancelled' };

function timeline({ events }) {
  return html`<section><h2>History</h2><ol class="timeline">${events.map((event, i) => html`<li class=${event.event_type.split('.')[1]}>
    ${time(event.timestamp)} <strong>${EVENTS[event.event_type] ?? event.event_type}</strong>${event.data?.attempt ? ` ${event.data.attempt}` : ''}${event.actor ? html` by ${event.actor.type === 'worker' ? workerLink(event.actor.id) : event.actor.id}` : nothing}
    ${i > 0 ? html`<span class="quiet">+${duration(Date.parse(event.timestamp) - Date.parse(events[i - 1].timestamp))}</span>` : nothing}
    ${event.data?.error?.type ? html`<br><span class="error">${event.data.error.type}: ${event.data.error.message}</span>` : nothing}</li>`)}</ol></section>`;
}

function failures(job, texts) {
  if (!job.errors?.length) return nothing;
  return html`<section><h2>Errors</h2>${job.errors.slice(-10).reverse().map((error, i) => html`<details class="card problem" ?open=${i === 0}><summary>Attempt ${error.attempt}: ${error.type}: ${error.message}</summary>
    <p class="quiet">${time(error.occurred_at)} ${error.worker_id ? html`on ${workerLink(error.worker_id)}` : nothing}</p>
    ${error.details?.stack ? html`<pre tabindex="0">${error.details.stack}</pre>` : nothing}</details>`)}${json('As sent', texts.errors, false)}</section>`;
}

export function view(data, { path }) {
  const answer = data.job?.ok ? data.job : data.job?.last;
  const job = answer?.json?.job;
  const texts = job ? members(members(answer.text).job) : {};
  return html`${heading(html`Job <span class="id">${path[0]}</span>`, html`${job ? badge(job.state) : nothing}${copyButton(path[0], 'Copy id')}`)}
    ${job ? actions(job) : nothing}
    ${explanation(data.why)}
    ${job ? html`${figures([
      ['Type', job.type], job.workflow_id && ['Workflow', workflowLink(job.workflow_id)], job.meta?.cron_name && ['Schedule', scheduleLink(job.meta.cron_name)], ['Queue', queueLink(job.queue)], job.unique_key && ['Unique key', keyLink(job.unique_key)], job.order_key && ['Order key', job.order_key], ['Attempt', `${job.attempt} of ${job.max_attempts}`], ['Priority', number(job.priority)],
      job.position !== undefined && ['Place in line', html`${number(job.position)}${job.ahead_higher_priority ? html` <span class="quiet">${number(job.ahead_higher_priority)} of higher priority before it</span>` : nothing}`],
      job.worker_id && ['Worker', workerLink(job.worker_id)], job.lease_expires_at && ['Lease ends', time(job.lease_expires_at)],
      ['Came', time(job.created_at)], job.scheduled_at && ['Due', time(job.scheduled_at)], job.started_at && ['Last start', time(job.started_at)], job.completed_at && ['Ended', time(job.completed_at)],
      job.progress !== undefined && ['Progress', typeof job.progress === 'object' ? JSON.stringify(job.progress) : `${Math.round(100 * job.progress)}%`]])}
      ${when(data.history, timeline)}
      ${failures(job, texts)}
      ${json('Arguments', texts.args)}${decoding(job)}${texts.meta === '{}' ? nothing : json('Meta', texts.meta)}${json('Result', texts.result)}${json('The whole job', members(answer.text).job, false)}` : nothing}`;
}
