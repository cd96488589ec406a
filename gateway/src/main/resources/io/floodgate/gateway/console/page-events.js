import { html, nothing } from './lit-html.js';
import { repeat } from './lit-repeat.js';
import { number } from './format.js';
import { within } from './router.js';
import { badge, heading, jobLink, queueLink, time } from './widgets.js';
import { state, update } from './store.js';
import { get } from './api.js';
import { follow } from './stream.js';
import { search } from './page-queues.js';

const MOST = 500;
const PER_SECOND = 20;
const POLL_EVERY = 5000;
const PRESETS = {
  all: { label: 'all', types: '' },
  trouble: { label: 'trouble', types: 'job.failed,job.discarded,job.expired,worker.stopped,dead_letter.added,floodgate.alarm_raised,floodgate.quarantined,floodgate.processing_failed,floodgate.record_rejected' },
  people: { label: 'changes by people', types: 'queue.paused,queue.resumed,queue.created,queue.deleted,queue.draining,rate_limit.overridden,rate_limit.override_ended,unique.released,worker.quiet,worker.resumed,job.priority_changed,floodgate.maintenance_began,floodgate.maintenance_ended' },
  backpressure: { label: 'backpressure', types: 'queue.full,queue.overflow,queue.pressure_warning,queue.pressure_critical,backpressure.warning,backpressure.rejected,backpressure.dropped,backpressure.cleared' },
  workers: { label: 'workers', types: 'worker.started,worker.stopped,worker.quiet,worker.resumed' },
  limits: { label: 'limits', types: 'rate_limit.exceeded,rate_limit.released,rate_limit.dynamic_adjusted,rate_limit.dropped,rate_limit.overridden,rate_limit.override_ended' },
};

export const title = () => 'Events';
export const every = 0;
export const feeds = ({ query }) => {
  const chosen = new URLSearchParams();
  const types = query.types ?? PRESETS[query.preset ?? 'all']?.types;
  if (types) chosen.set('types', types);
  if (query.queue) chosen.set('queues', query.queue);
  return { recent: `ojs/v1/events?limit=50&${chosen}` };
};

const tail = { rows: [], next: [], hidden: 0, status: 'waiting', paused: false, stopper: null, lost: 0 };

let due = 0;

/** Of a thousand events in a second, a few times are drawn. */
const soon = () => { due ||= setTimeout(() => { due = 0; update(); }, 250); };

/** Follows the events while the page is there and visible. */
export function open(route) {
  close();
  Object.assign(tail, { rows: [], next: [], hidden: 0, lost: 0, status: 'waiting', paused: false, stopper: new AbortController() });
  const { signal } = tail.stopper;
  const recent = feeds(route).recent;
  const polls = setInterval(() => poll(recent, signal), POLL_EVERY);
  signal.addEventListener('abort', () => clearInterval(polls));
  let second = 0;
  let drawn = 0;
  follow(recent.replace('events?limit=50&', 'events/stream?'), signal, event => {
    if (event.type === 'floodgate.events_lost') { tail.lost += event.data.lost_at_most ?? 0; return; }
    const now = Math.floor(Date.now() / 1000);
    if (now !== second) { second = now; drawn = 0; }
    // The page shows what a person can read; the rest is counted.
    if (drawn++ >= PER_SECOND || tail.paused) tail.hidden++;
    else tail.rows = [event.data, ...tail.rows].slice(0, MOST);
    soon();
  }, status => { tail.status = status; update(); });
}

/** Behind a proxy that buffers the stream, events are asked for. */
async function poll(recent, signal) {
  if (tail.status === 'live' || tail.paused) return;
  try {
    const answer = await get(recent, signal);
    if (!answer.ok || tail.status === 'live') return;
    tail.status = 'every 5 s';
    update({ data: { ...state.data, recent: answer } });
  } catch { /* aborted: another page is shown */ }
}

export function close() {
  tail.stopper?.abort();
  tail.stopper = null;
}

const about = event => {
  const data = event.data ?? {};
  if (data.error) return html`<span class="error">${data.error.type}: ${data.error.message ?? ''}</span>`;
  return Object.entries(data).filter(([name, value]) => !['job_id', 'queue', 'job_type', 'state', 'result'].includes(name) && typeof value !== 'object').slice(0, 5).map(([name, value]) => html`<span class="quiet">${name} </span>${value} `);
};

export const list = events => (events.length ? html`<div class="scroll" tabindex="0" role="region" aria-label="Events"><table data-list><caption class="hidden">Events, the newest first</caption>
  <thead><tr><th scope="col">Event</th><th scope="col">When</th><th scope="col">Queue</th><th scope="col">Job or other subject</th><th scope="col">What</th></tr></thead>
  <tbody>${repeat(events, event => event.id, event => html`<tr><th scope="row">${badge(event.type, /failed|discarded|rejected|lost|exceeded/.test(event.type) ? 'sign' : '')}</th><td data-label="When">${time(event.time)}</td>
    <td data-label="Queue">${event.data?.queue ? queueLink(event.data.queue) : '–'}</td><td data-label="Subject">${event.data?.job_id ? jobLink(event.data.job_id) : event.subject ?? '–'}</td><td data-label="What">${event.data?.job_type ?? ''} ${about(event)}</td></tr>`)}</tbody></table></div>`
  : html`<p class="quiet">No event is like that.</p>`);

function save(rows) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(rows.map(row => JSON.stringify(row) + '\n'), { type: 'application/x-ndjson' }));
  link.download = 'events.ndjson';
  link.click();
  URL.revokeObjectURL(link.href);
}

export function view(data, { query }) {
  const known = new Set(tail.rows.map(row => row.id));
  const rows = [...tail.rows, ...(data.recent?.json?.events ?? []).filter(row => !known.has(row.id))].sort((a, b) => Date.parse(b.time) - Date.parse(a.time)).slice(0, MOST);
  return html`${heading('Events', html`<span class="quiet" role="status">${tail.paused ? 'paused' : tail.status}</span>`)}
    <form class="filters" role="search" @submit=${event => event.preventDefault()}>
      <nav class="chips" aria-label="Show">${Object.entries(PRESETS).map(([name, { label }]) => html`<a href=${within({ preset: name === 'all' ? '' : name, types: '' })} aria-current=${(query.preset ?? 'all') === name ? 'true' : nothing}>${label}</a>`)}</nav>
      <label>Queue <input type="search" id="search" .value=${query.queue ?? ''} @input=${event => search(event.target.value.trim(), 'queue')}></label>
      <label>Types <input type="search" placeholder="job.failed,job.discarded" .value=${query.types ?? ''} @input=${event => search(event.target.value.trim(), 'types')}></label>
    </form>
    <div class="actions"><button type="button" @click=${() => { tail.paused = !tail.paused; update(); }}>${tail.paused ? 'Go on' : 'Pause'}</button><button type="button" @click=${() => save(rows)}>Save as NDJSON</button>
      <span class="quiet">${tail.hidden ? `${number(tail.hidden)} more came than are shown. ` : ''}${tail.lost ? `${number(tail.lost)} may be lost. ` : ''}${rows.length >= MOST ? `The newest ${MOST} are kept.` : ''}</span></div>
    ${list(rows)}`;
}
