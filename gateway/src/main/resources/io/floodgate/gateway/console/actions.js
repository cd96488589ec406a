// All that can be changed from this page: what it says before, what it sends, and how it is taken back.
import { encode, may, request, sentence } from './api.js';
import { count, number, duration } from './format.js';
import { state, update } from './store.js';
import { toast } from './widgets.js';

const V1 = 'ojs/v1';
const QUEUE = name => `${V1}/queues/${encode(name)}`;
const JOB = id => `${V1}/admin/jobs/${encode(id)}`;
const WORKER = id => `${V1}/admin/workers/${encode(id)}`;
const LIMIT = key => `${V1}/rate-limits/${encode(key)}/override`;
const TENANT = id => `${V1}/admin/tenants/${encode(id)}`;
const CRON = name => `${V1}/cron/${encode(name)}`;
const UNIQUE = holder => `${V1}/unique-jobs/${encode(holder.key)}?job_id=${encode(holder.job_id)}`;

const whole = text => (text === '' || text === undefined ? null : Number(text));
const direct = (id, directive) => ({ method: 'POST', path: `${WORKER(id)}/directive`, body: { directive } });

/** What a filter chooses, in words. */
export const chosen = filter => Object.entries(filter).filter(([, value]) => value).map(([name, value]) => `${name.replace('_', ' ')} ${value}`).join(', ') || 'no filter: all';

const reason = { name: 'reason', label: 'Reason, for those who come after you', max: 200 };
const hour = () => new Date(Date.now() + state.skew + 3600000).toISOString().slice(0, 19) + 'Z';

const bulk = (action, verb, kind) => ({
  label: `${verb} all that match`, kind,
  effect: s => `${verb} every job that matches: ${chosen(s.filter)}. What comes in later is left alone.`,
  preview: s => ({ method: 'POST', path: `${V1}/admin/jobs/bulk/${action}`, body: { filter: s.filter, dry_run: true } }),
  send: s => ({ method: 'POST', path: `${V1}/admin/jobs/bulk/${action}`, body: { filter: s.filter, confirm: true } }),
  done: (s, answer) => `${count(answer.succeeded ?? answer.affected ?? 0, 'job')} done${answer.failed ? `; ${number(answer.failed)} could not be` : ''}.`,
});

/**
 * kind A can be taken back, B changes how things go on, C concerns many, D destroys.
 * @type {Record<string, any>}
 */
const ACTIONS = {
  'queue.pause': { label: 'Pause', kind: 'A', effect: s => `Queue ${s.name} hands out no more jobs. Jobs still come in, and those that run go on.`, fields: () => [reason],
    send: (s, v) => ({ method: 'POST', path: `${QUEUE(s.name)}/pause`, body: v.reason ? { reason: v.reason } : {} }), done: s => `${s.name} is paused.`, undo: 'queue.resume' },
  'queue.resume': { label: 'Resume', kind: 'A', effect: s => `Queue ${s.name} hands out jobs again.`, send: s => ({ method: 'POST', path: `${QUEUE(s.name)}/resume`, body: {} }), done: s => `${s.name} hands out jobs again.`, undo: 'queue.pause' },
  'queue.bound': { label: 'Set bound…', kind: 'B',
    effect: s => `Now ${s.bound ? `${number(s.bound)} jobs, ${s.strategy}` : 'no bound'}. What is in the queue stays, also with a lower bound.`,
    fields: s => [{ name: 'max_size', label: 'Unfinished jobs at most (empty: no bound)', type: 'number', value: s.suggested ?? s.bound ?? '' },
      { name: 'overflow_policy', label: 'What becomes of a job that does not fit', options: ['reject', 'block', 'drop_oldest'], value: s.strategy ?? 'reject' }],
    hint: (s, v) => {
      const more = Number(v.max_size) - s.depth;
      const grows = (s.fills ?? 0) - (s.drains ?? 0);
      if (!v.max_size) return 'Without a bound the queue grows until the disk or the memory of its partition is full.';
      return more <= 0 ? `The queue has ${number(s.depth)} jobs: it takes none until it is below the bound.`
        : `${count(more, 'more job')} fit${grows > 0 ? `; at the present rate that lasts ${duration((1000 * more) / grows)}` : ''}.`;
    },
    send: (s, v) => ({ method: 'PUT', path: `${QUEUE(s.name)}/config`, body: { max_size: whole(v.max_size), overflow_policy: v.overflow_policy } }), done: s => `The bound of ${s.name} is set.` },
  'queue.limits': { label: 'Set limits…', kind: 'B', effect: s => `Limits of queue ${s.name} go before what its jobs say. An empty field leaves out that limit.`,
    fields: s => [{ name: 'concurrency', label: 'Jobs that run at a time (0 stops the queue)', type: 'number', value: s.concurrency ?? '' },
      { name: 'limit', label: 'Starts per period', type: 'number', value: s.rate?.limit ?? '' }, { name: 'period', label: 'Period', options: ['PT1S', 'PT1M', 'PT1H'], value: s.rate?.period ?? 'PT1M' }],
    send: (s, v) => ({ method: 'PUT', path: `${V1}/admin/queues/${encode(s.name)}/rate-limit`, body: { concurrency: whole(v.concurrency), rate: v.limit ? { limit: Number(v.limit), period: v.period } : null } }), done: s => `The limits of ${s.name} are set.` },
  'queue.purge': { label: 'Purge…', kind: 'D', typed: s => s.name, effect: s => `Jobs of queue ${s.name} in the state below are removed without a trace. Those that have not ended are cancelled first.`,
    fields: () => [{ name: 'state', label: 'State', options: ['available', 'scheduled', 'retryable', 'pending', 'completed', 'cancelled', 'discarded'], value: 'available' }],
    preview: (s, v) => ({ method: 'POST', path: `${V1}/admin/queues/${encode(s.name)}/purge`, body: { states: [v.state], dry_run: true } }),
    send: (s, v) => ({ method: 'POST', path: `${V1}/admin/queues/${encode(s.name)}/purge`, body: { states: [v.state], confirm: true } }), done: (s, answer) => `${count(answer.purged_count ?? answer.succeeded ?? 0, 'job')} removed.` },
  'queue.delete': { label: 'Delete…', kind: 'D', typed: s => s.name, effect: s => `Queue ${s.name} goes, with ${number(s.depth)} unfinished jobs as the strategy says.`,
    fields: () => [{ name: 'strategy', label: 'Unfinished jobs', options: ['reject', 'drain', 'discard'], value: 'reject' }],
    send: (s, v) => ({ method: 'DELETE', path: `${QUEUE(s.name)}?strategy=${v.strategy}` }), done: s => `${s.name} is being deleted.` },
  'job.retry': { label: 'Retry', kind: 'B', effect: () => 'The job becomes available again, its attempts counted from 0.', send: s => ({ method: 'POST', path: `${JOB(s.id)}/retry`, body: {} }), done: () => 'The job is available again.' },
  'job.skip': { label: 'Skip', kind: 'A', effect: s => `Other jobs with the order key ${s.order_key} start before this one, until it can be fetched again.`, send: s => ({ method: 'POST', path: `${JOB(s.id)}/skip`, body: {} }), done: () => 'Other jobs of its key go first.' },
  'job.cancel': { label: 'Cancel', kind: 'B', effect: () => 'The job ends here. A worker that runs it learns this with its next heartbeat, and stops.', send: s => ({ method: 'POST', path: `${JOB(s.id)}/cancel`, body: {} }), done: () => 'The job is cancelled.' },
  'job.priority': { label: 'Priority…', kind: 'B', effect: s => `Its priority is ${s.priority}. Jobs of a higher one are handed out first.`, fields: s => [{ name: 'priority', label: 'Priority, from -100 to 100', type: 'number', value: s.priority }],
    send: (s, v) => ({ method: 'PATCH', path: JOB(s.id), body: { priority: Number(v.priority) } }), done: () => 'The priority is set.' },
  'job.delete': { label: 'Delete…', kind: 'D', typed: s => s.id.slice(-6), effect: s => `Job ${s.id} is removed without a trace.`, send: s => ({ method: 'DELETE', path: JOB(s.id) }), done: () => 'The job is deleted.' },
  'jobs.retry': bulk('retry', 'Retry', 'C'), 'jobs.cancel': bulk('cancel', 'Cancel', 'C'),
  'jobs.delete': { ...bulk('delete', 'Delete', 'D'), typed: s => s.filter.queue ?? 'delete' },
  'dead.retry': { label: 'Retry all that match…', kind: 'C', effect: s => `Every dead letter that matches is tried again: ${chosen(s.filter)}. Those that do not fit into their queue stay.`,
    preview: s => ({ method: 'POST', path: `${V1}/admin/dead-letter/retry`, body: { filter: s.filter, dry_run: true } }),
    send: s => ({ method: 'POST', path: `${V1}/admin/dead-letter/retry`, body: { filter: s.filter, confirm: true } }), done: (s, answer) => `${count(answer.succeeded ?? 0, 'dead letter')} tried again${answer.failed ? `; ${number(answer.failed)} were rejected` : ''}.` },
  'worker.quiet': { label: 'Quiet', kind: 'A', effect: s => `Worker ${s.id} gets no more jobs. It finishes those that it has.`, send: s => direct(s.id, 'quiet'), done: s => `${s.id} gets no more jobs.`, undo: 'worker.resume' },
  'worker.resume': { label: 'Resume', kind: 'A', effect: s => `Worker ${s.id} gets jobs again.`, send: s => direct(s.id, 'resume'), done: s => `${s.id} gets jobs again.`, undo: 'worker.quiet' },
  'worker.terminate': { label: 'Terminate…', kind: 'C', effect: s => `Worker ${s.id} is asked to stop: it finishes what it has, and ends. It has to be started again where it runs.`, send: s => direct(s.id, 'terminate'), done: s => `${s.id} is asked to stop.` },
  'worker.forget': { label: 'Forget', kind: 'B', effect: s => `Worker ${s.id} is taken off the list. Jobs of one that never sends heartbeats are given to others at once.`, send: s => ({ method: 'DELETE', path: WORKER(s.id) }), done: s => `${s.id} is forgotten.` },
  'limit.override': { label: 'Override…', kind: 'B', effect: s => `Goes before what jobs and queues say of ${s.key}, until it ends. Empty fields stay as jobs say.`,
    fields: s => [{ name: 'concurrency', label: 'Jobs that run at a time (0 stops the key)', type: 'number', value: s.concurrency ?? '' }, { name: 'limit', label: 'Starts per period', type: 'number', value: '' },
      { name: 'period', label: 'Period', options: ['PT1S', 'PT1M', 'PT1H'], value: 'PT1M' }, { name: 'expires_at', label: 'Ends at (empty: never)', value: hour() }],
    send: (s, v) => ({ method: 'PUT', path: LIMIT(s.key), body: { ...(v.concurrency === '' ? {} : { concurrency: Number(v.concurrency) }), ...(v.limit === '' ? {} : { rate: { limit: Number(v.limit), period: v.period } }), ...(v.expires_at ? { expires_at: v.expires_at } : {}) } }), done: s => `${s.key} is overridden.` },
  'limit.stop': { label: 'Stop…', kind: 'B', effect: s => `No job of ${s.key} starts until the override ends. Those that run go on.`, fields: () => [{ name: 'expires_at', label: 'Ends at (empty: never)', value: hour() }],
    send: (s, v) => ({ method: 'PUT', path: LIMIT(s.key), body: { concurrency: 0, ...(v.expires_at ? { expires_at: v.expires_at } : {}) } }), done: s => `${s.key} is stopped.` },
  'limit.end': { label: 'End override', kind: 'B', effect: s => `What jobs and queues say of ${s.key} is in force again.`, send: s => ({ method: 'DELETE', path: LIMIT(s.key) }), done: s => `The override of ${s.key} has ended.` },
  'key.release': { label: 'Release…', kind: 'B', effect: s => `Job ${s.job_id} does not have its key any more, and goes on. Another job of the key may come beside it.`, send: s => ({ method: 'DELETE', path: UNIQUE(s) }), done: s => `Job ${s.job_id} does not have the key any more.` },
  'tenant.bound': { label: 'Set bound…', kind: 'B', effect: s => `Tenant ${s.id} has ${count(s.depth, 'unfinished job')} in queue ${s.queue}${s.bound ? `, and may have ${number(s.bound)}${s.own ? '' : ', as every tenant'}` : ''}. What it has stays.`,
    fields: s => [{ name: 'depth', label: 'Unfinished jobs at most (empty: as every tenant; 0: any number)', type: 'number', value: s.bound ?? '' }],
    hint: (s, v) => (v.depth === '' || v.depth === '0' ? '' : Number(v.depth) > s.depth ? `${count(Number(v.depth) - s.depth, 'more job')} of it fit.` : 'Its next jobs do not get in until it has fewer.'),
    send: (s, v) => ({ method: 'PUT', path: TENANT(s.id), body: { limits: { max_queue_depth: whole(v.depth) }, queues: [s.queue] } }), done: s => `The bound of ${s.id} in ${s.queue} is set.` },
  'cron.pause': { label: 'Pause', kind: 'A', effect: s => `Schedule ${s.name} runs nothing until it is resumed. Runs that have not ended go on.`, send: s => ({ method: 'POST', path: `${CRON(s.name)}/pause`, body: {} }), done: s => `${s.name} is paused.`, undo: 'cron.resume' },
  'cron.resume': { label: 'Resume', kind: 'A', effect: s => `Schedule ${s.name} runs again from its next occurrence on.`, fields: () => [{ name: 'catch_up', label: 'What was due last while it was paused', options: ['none', 'latest'], value: 'none' }],
    hint: (s, v) => (v.catch_up === 'latest' ? 'The last occurrence of the pause is run now.' : 'Nothing of the pause is run.'),
    send: (s, v) => ({ method: 'POST', path: `${CRON(s.name)}/resume?catch_up=${v.catch_up ?? 'none'}`, body: {} }), done: s => `${s.name} runs again.`, undo: 'cron.pause' },
  'cron.trigger': { label: 'Run now…', kind: 'B', effect: s => `A job of schedule ${s.name} goes into its queue at once, beside its occurrences.`, fields: () => [{ name: 'force', label: 'Even while an earlier run has not ended', options: ['no', 'yes'], value: 'no' }],
    send: (s, v) => ({ method: 'POST', path: `${CRON(s.name)}/trigger${v.force === 'yes' ? '?force=true' : ''}`, body: {} }), done: (s, answer) => (answer.waits_for_run ? `Job ${answer.job_id} waits for the run before it.` : answer.waits_for_room ? `Job ${answer.job_id} waits for room.` : `Job ${answer.job_id} is in its queue.`) },
  'cron.backfill': { label: 'Backfill…', kind: 'B', effect: s => `Schedule ${s.name} runs for every time at which it was due in this period, 1,000 at most. What its overlap policy does not allow is skipped.`, fields: () => [{ name: 'from', label: 'From (RFC 3339)', value: new Date(Date.now() - 3600e3).toISOString() }, { name: 'to', label: 'To (RFC 3339)', value: new Date().toISOString() }],
    send: (s, v) => ({ method: 'POST', path: `${CRON(s.name)}/backfill`, body: { from: v.from, to: v.to } }), done: (s, answer) => `${count(answer.runs.filter(run => run.job_id).length, 'run')} of ${number(answer.count)} placed; the outcomes are in its history.` },
  'workflow.cancel': { label: 'Cancel workflow…', kind: 'D', typed: s => s.id.slice(-6), effect: s => `What of workflow ${s.name ?? s.id} has not started is cancelled. Callbacks do not run.`, fields: () => [{ name: 'active', label: 'Jobs that run', options: ['go on to their end', 'are cancelled too'], value: 'go on to their end' }],
    send: (s, v) => ({ method: 'POST', path: `${V1}/admin/workflows/${encode(s.id)}/cancel${v.active === 'are cancelled too' ? '?active=cancel' : ''}`, body: {} }), done: (s, answer) => `${count(answer.steps_cancelled ?? 0, 'step')} cancelled${answer.steps_cancelling ? `; ${number(answer.steps_cancelling)} are being cancelled` : ''}.` },
  'workflow.retry': { label: 'Retry failed', kind: 'B', effect: () => 'What has failed runs again, and what was cancelled because of it waits for it again. Results that are there stay.', send: s => ({ method: 'POST', path: `${V1}/workflows/${encode(s.id)}/retry`, body: {} }), done: () => 'The workflow runs again.' },
  'signal.send': { label: 'Signal…', kind: 'B', scope: 'produce', effect: s => `Every step that waits for ${s.event} with key ${s.key} goes on, with what you say here as its result. It cannot be taken back.`,
    fields: () => [{ name: 'answer', label: 'What has happened', options: ['it has happened', 'approved', 'rejected'], value: 'it has happened' }, { name: 'by', label: 'Your name', max: 100 }, { name: 'note', label: 'Note', max: 500 }],
    hint: (s, v) => (v.answer === 'it has happened' ? '' : `The result has "approved": ${v.answer === 'approved'}, which later steps can look at.`),
    send: (s, v) => ({ method: 'POST', path: `${V1}/signals`, body: { event: s.event, key: s.key, data: { ...(v.answer === 'it has happened' ? {} : { approved: v.answer === 'approved' }), ...(v.by && { by: v.by }), ...(v.note && { note: v.note }) } } }),
    done: (s, answer) => (answer.duplicate ? `${s.event} was signalled before: the first signal counts.` : `${count(answer.steps_signalled, 'step')} signalled.`) },
  'alarm.acknowledge': { label: 'Acknowledge', kind: 'B', effect: s => `The alarm ${s.code} of partition ${s.partition} is taken off the list. It comes back if its cause is still there.`, send: s => ({ method: 'POST', path: `${V1}/admin/logs/${s.partition}/alarms/${encode(s.code)}/acknowledge`, body: {} }), done: () => 'The alarm is acknowledged.' },
  'aside.retry': { label: 'Try again', kind: 'B', effect: s => `What was quarantined (${s.id}) is processed again.`, send: s => ({ method: 'POST', path: `${V1}/admin/set-aside/${encode(s.id)}/retry`, body: {} }), done: () => 'It is tried again.' },
  'aside.discard': { label: 'Give up…', kind: 'D', typed: () => 'give up', effect: s => `What was quarantined (${s.id}) is removed for good.`, send: s => ({ method: 'DELETE', path: `${V1}/admin/set-aside/${encode(s.id)}` }), done: () => 'It is removed.' },
  'maintenance.begin': { label: 'Begin maintenance…', kind: 'B', effect: () => 'No queue hands out jobs, on any gateway, until maintenance is ended. Jobs still come in.', fields: () => [reason], send: (s, v) => ({ method: 'POST', path: `${V1}/admin/system/maintenance`, body: { enabled: true, ...(v.reason ? { reason: v.reason } : {}) } }), done: () => 'Maintenance is on.' },
  'maintenance.end': { label: 'End maintenance', kind: 'B', effect: () => 'All queues hand out jobs again.', send: () => ({ method: 'POST', path: `${V1}/admin/system/maintenance`, body: { enabled: false } }), done: () => 'Maintenance has ended.' },
};

/** Those of pages that few open, and that are loaded with them. */
export const register = more => Object.assign(ACTIONS, more);

let refresh = () => {};
export const refreshWith = reload => { refresh = reload; };

/** Asks before anything is done. */
export const begin = (id, subject) => open(ACTIONS[id], subject);

/** A dialog that only says something. */
export const show = action => open(action, {});

function open(action, subject) {
  const values = Object.fromEntries((action.fields?.(subject) ?? []).map(field => [field.name, String(field.value ?? '')]));
  update({ dialog: { action, subject, values, typed: '', busy: false, error: '', preview: null, returns: document.activeElement } });
  if (action.preview) preview();
}

/** Counts what would be done, by the filter that will be used. */
export async function preview() {
  const { dialog } = state;
  dialog.preview = null;
  const { method, path, body } = dialog.action.preview(dialog.subject, dialog.values);
  const answer = await request(method, path, body);
  if (state.dialog !== dialog) return;
  dialog.preview = answer.ok ? answer.json : { failed: sentence(answer) };
  update();
}

export const mayConfirm = ({ action, preview: seen, typed, subject, busy }) =>
  !busy && Boolean(action.send) && may(action.scope ?? 'admin') && (!action.preview || (seen && !seen.failed && seen.matched > 0)) && (!action.typed || typed === action.typed(subject));

export async function confirm() {
  const { dialog } = state;
  if (!dialog || !mayConfirm(dialog)) return;
  dialog.busy = true;
  dialog.error = '';
  update();
  if (dialog.action.preview) {
    const before = dialog.preview.matched;
    await preview();
    if (Math.abs((dialog.preview?.matched ?? 0) - before) > before / 10) {
      dialog.busy = false;
      dialog.error = 'The number has changed since you looked. Look again, and confirm.';
      return update();
    }
  }
  await carryOut(dialog);
}

/** Sends what a dialog says, unless a field has JSON that cannot be read. */
async function sent(action, subject, values) {
  try {
    const { method, path, body } = action.send(subject, values);
    return await request(method, path, body);
  } catch (unreadable) {
    return { ok: false, status: 400, json: { error: { message: `A field is not well-formed JSON: ${unreadable.message}` } } };
  }
}

async function carryOut(dialog) {
  const { action, subject, values } = dialog;
  const answer = await sent(action, subject, values);
  if (answer.ok) {
    close();
    const undo = action.undo && (() => undoBy(action.undo, subject));
    toast(action.done(subject, answer.json ?? {}), { undo });
    if (answer.json?.operation_id && answer.status === 202) watch(answer.json.operation_id);
  } else if (state.dialog === dialog) {
    dialog.busy = false;
    dialog.error = sentence(answer);
    update();
  }
  refresh();
}

async function undoBy(id, subject) {
  const { method, path, body } = ACTIONS[id].send(subject, {});
  const answer = await request(method, path, body);
  toast(answer.ok ? `Taken back: ${ACTIONS[id].done(subject, answer.json ?? {})}` : sentence(answer), { level: answer.ok ? 'ok' : 'problem' });
  refresh();
}

async function watch(operation) {
  const answer = await request('GET', `${V1}/admin/operations/${encode(operation)}`);
  if (!answer.ok) return toast(sentence(answer), { level: 'warning' });
  const { state: how, matched, succeeded, failed } = answer.json;
  if (how === 'running' || answer.json.done === false) {
    update({ operation: { id: operation, matched, succeeded, failed } });
    setTimeout(() => watch(operation), 1000);
  } else {
    update({ operation: null });
    toast(`Finished: ${number(succeeded)} of ${number(matched)} jobs${failed ? `, ${number(failed)} could not be` : ''}.`);
    refresh();
  }
}

export const stop = operation => request('DELETE', `${V1}/admin/operations/${encode(operation)}`);

export function close() {
  const back = state.dialog?.returns;
  update({ dialog: null });
  back?.focus?.();
}

/** An action that an explanation suggests: a request that is ready to be sent. */
export function suggested(advice) {
  const { id, method, path, body } = advice.action;
  const parts = path.split('/').map(decodeURIComponent);
  // Those that have the same form here: with their fields, and their way back.
  const subject = { 'signal.send': body, 'queue.resume': { name: parts[4] }, 'queue.pause': { name: parts[4] }, 'worker.quiet': { id: parts[5] }, 'worker.resume': { id: parts[5] }, 'cron.resume': { name: parts[4] }, 'workflow.retry': { id: parts[4] } }[id];
  const label = ACTIONS[id]?.label ?? id.split('.')[1].replaceAll('_', ' ').replace(/^./, c => c.toUpperCase());
  const plain = { label, kind: advice.action.class, effect: () => advice.text, send: () => ({ method, path: path.replace(/^\//, ''), body }), done: () => 'Done.', shows: () => `${method} ${path}${body ? ` ${JSON.stringify(body)}` : ''}` };
  return { label: label.replace('…', ''), run: () => (subject ? begin(id, subject) : open(plain, {})) };
}
