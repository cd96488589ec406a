import { html, nothing } from './lit-html.js';
import { duration, number } from './format.js';
import { within } from './router.js';
import { encode } from './api.js';
import { button, copyButton, figures, heading, jobLink, queueLink, table, time } from './widgets.js';
import { begin } from './actions.js';
import { explanation } from './explanation.js';
import { graph, reason, stepsOf, times } from './graph.js';
import { progress, standing } from './page-workflows.js';

const STATES = ['all', 'failed', 'active', 'pending', 'waiting', 'completed', 'cancelled', 'skipped'];
const SHOWN = 100;
const BARS = 50;

export const title = ({ path }) => `workflow ${path[0].slice(0, 8)}…`;
export const every = 2000;
export const feeds = ({ path }) => ({ workflow: `ojs/v1/workflows/${encode(path[0])}?layout=true`, why: `ojs/v1/workflows/${encode(path[0])}/explain` });

const span = (from, to) => (from && to ? duration(Math.max(0, Date.parse(to) - Date.parse(from))) : '–');

const columns = workflow => [
  { label: 'Step', cell: step => html`${step.id}${step.callback ? html` <span class="badge">callback</span>` : nothing}${step.job_id ? html` ${jobLink(step.job_id)}` : nothing}` },
  { label: 'Type', cell: step => step.type },
  { label: 'Queue', cell: step => (step.queue ? queueLink(step.queue) : '–') },
  { label: 'State', cell: step => standing(step.state) },
  { label: 'Why', cell: step => (reason(step) === step.state ? '' : html`<span class=${step.error ? 'error' : ''}>${reason(step)}</span>${step.waits?.reason === 'signal' ? html` ${button('Signal…', () => begin('signal.send', step.waits), { scope: 'produce', id: `signal.send.${step.id}` })}` : nothing}`) },
  { label: 'Attempt', numeric: true, cell: step => number(step.attempt) },
  { label: 'For others', numeric: true, hint: 'how long it waited for others', cell: step => span(workflow.created_at, step.ready_at) },
  { label: 'For room', numeric: true, hint: 'how long it waited for room in its queue', cell: step => span(step.ready_at, step.enqueued_at) },
  { label: 'In queue, run', numeric: true, hint: 'from when its queue had it to its end, with all attempts', cell: step => span(step.enqueued_at, step.completed_at) },
  { label: 'Ended', numeric: true, cell: step => time(step.completed_at) },
];

function steps(workflow, query) {
  const all = stepsOf(workflow);
  const of = state => all.filter(step => state === 'all' || step.state === state).length;
  const found = all.filter(step => (!query.state || step.state === query.state) && (!query.type || step.type === query.type));
  const shown = query.all ? found : found.slice(0, SHOWN);
  return html`<section><h2 id="steps">Steps</h2>
    <nav class="chips" aria-label="State">${STATES.filter(state => state === 'all' || of(state)).map(state => html`<a href=${within({ state: state === 'all' ? '' : state })} aria-current=${(query.state ?? 'all') === state ? 'true' : nothing}>${number(of(state))} ${state}</a>`)}
      ${query.type ? html`<a href=${within({ type: '' })} aria-current="true" title="all types">only ${query.type} ×</a>` : nothing}</nav>
    <details><summary>Where the time went</summary>${times(workflow, shown.filter(step => !step.kind).slice(0, BARS))}</details>
    ${table('Steps', columns(workflow), shown, step => step.id, { empty: 'No step is like that.' })}
    ${found.length > shown.length ? html`<p>The first ${number(SHOWN)}. <a href=${within({ all: 'true' })}>All ${number(found.length)}</a></p>` : nothing}
    ${workflow.steps_omitted ? html`<p>${number(workflow.steps_omitted)} further steps are not shown here.</p>` : nothing}</section>`;
}

function actions(workflow) {
  const running = workflow.state === 'running';
  if (!running && workflow.state !== 'failed') return nothing;
  return html`<div class="actions">${running ? button('Cancel workflow…', () => begin('workflow.cancel', workflow), { kind: 'danger', id: 'workflow.cancel' })
    : button('Retry failed…', () => begin('workflow.retry', workflow), { kind: 'main', id: 'workflow.retry' })}</div>`;
}

export function view(data, { path, query }) {
  const answer = data.workflow?.ok ? data.workflow : data.workflow?.last;
  const workflow = answer?.json?.workflow;
  return html`${heading(workflow?.name ?? html`Workflow <span class="id">${path[0]}</span>`, html`${workflow ? standing(workflow.state) : nothing}${copyButton(path[0], 'Copy id')}`)}
    ${workflow ? actions(workflow) : nothing}
    ${explanation(data.why)}
    ${workflow ? html`<section><h2>Graph</h2><div class="scroll graph" tabindex="0" role="region" aria-label="Graph">${graph(workflow, answer.json.layout)}</div></section>
      ${figures([['Shape', workflow.type], ['Jobs done', progress(workflow)], ['Cancelled', number(workflow.metadata.cancelled_count)], ['Began', time(workflow.created_at)],
        ['Ended', time(workflow.completed_at ?? workflow.cancelled_at)], workflow.completed_at && ['Took', span(workflow.created_at, workflow.completed_at)], workflow.timeout_at && ['Has to end by', time(workflow.timeout_at)], workflow.created_by && ['By', workflow.created_by]])}
      ${steps(workflow, query)}` : nothing}`;
}
