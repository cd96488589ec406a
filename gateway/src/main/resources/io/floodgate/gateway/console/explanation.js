// Shows an explanation as the server has made it: this page has no rule of its own.
import { html, nothing } from './lit-html.js';
import { button, copyButton, jobLink, lasting, limitLink, notice, queueLink, scheduleLink, severity, tenantLink, time, workerLink, workflowLink } from './widgets.js';
import { clock, duration, number, rate } from './format.js';
import { parsed } from './json.js';
import { href } from './router.js';
import { OLD } from './store.js';
import { suggested } from './actions.js';

const AGE = answer => (Date.now() - answer.at) / 1000;

/** @param answer of an explain route; of an unknown subject, the explanation is in the error's details */
export function explanation(answer, { head = true } = {}) {
  if (!answer) return html`<p class="loading" aria-busy="true">Loading …</p>`;
  const shown = answer.ok ? answer : answer.last;
  const value = shown?.json ?? unknown(answer);
  if (!value) return notice(answer.json?.error?.message ?? 'The server does not answer: there is no explanation.', 'problem');
  const old = !answer.ok || AGE(answer) > OLD || value.exact === false;
  return html`<section class="explanation" aria-label="Explanation">
    ${old && shown ? notice(html`These figures are old: they are from ${time(value.as_of)}. No action is offered.`, 'warning') : nothing}
    ${value.findings.map((finding, i) => one(finding, value, { first: i === 0 && head, old }))}
    ${value.not_known?.length ? html`<p class="quiet">Not known: ${value.not_known.join(', ')}.</p>` : nothing}
    <p class="quiet">${value.exact ? 'Exact' : 'Last published'}, from ${value.from}, ${time(value.as_of)}. ${copyButton(markdown(value), 'Copy as Markdown')}</p>
  </section>`;
}

function unknown(answer) {
  const text = answer.json?.error?.details?.explanation;
  return typeof text === 'string' ? parsed(text) : text ?? null;
}

export function one(finding, value, { first = false, old = false } = {}) {
  return html`<article class="finding ${finding.severity} ${first ? 'first' : ''}">
    <h2>${severity(finding.severity)} <span>${finding.title}</span></h2>
    ${finding.since ? html`<p class="quiet">For ${lasting(finding.since)}, since ${clock(finding.since)}</p>` : nothing}
    ${finding.text ? html`<p>${finding.text}</p>` : nothing}
    ${finding.do?.length ? html`<ul class="advice">${finding.do.map(advice => html`<li>${linked(advice.text)}
      ${advice.docs ? html`<a href=${helpAt(advice.docs)}>${advice.docs.includes('/runbooks/') ? 'Runbook' : 'Page'}: ${advice.docs.split('/').at(-1).replace('.md', '').replaceAll('-', ' ')}</a>` : nothing}
      ${advice.action && !old && value.exact !== false ? button(suggested(advice).label, () => suggested(advice).run(), { scope: advice.action.scope, kind: 'main', id: advice.action.id }) : nothing}</li>`)}</ul>` : nothing}
    ${finding.code === 'unbounded_queues' ? html`<p><a href=${href('queues', [], { show: 'unbounded' })}>Show these queues</a></p>` : nothing}
    ${Object.keys(finding.evidence ?? {}).length ? html`<details><summary>Evidence</summary>${evidence(finding.evidence)}</details>` : nothing}
  </article>`;
}

const WHY = { queue: queueLink, job: jobLink, limit: limitLink, schedule: scheduleLink, tenant: tenantLink, worker: workerLink, workflow: workflowLink };

/** The documentation on this server, by its path from the root of the project. */
const helpAt = docs => docs.replace('README.md', 'index.html').replace('.md', '.html');

/** Advice names jobs, and commands that explain something: both are pages here. */
const linked = text => text.split(/(\.\/floodgate why (?:queue|job|limit|schedule|tenant|worker|workflow) \S+?(?=\.?(?:\s|$))|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/).map((part, i) => {
  if (i % 2 === 0) return part;
  const [, kind, name] = part.match(/why (\S+) (\S+)/) ?? [null, 'job', part];
  return WHY[kind](name.replace(/^'(.*)'$/, '$1'));
});

const words = name => name.replaceAll('_', ' ').replace(/ (at|ms|per second)$/, '');

/** Figures and lists of any explanation, by their names. */
export function evidence(value) {
  return html`<dl class="figures">${Object.entries(value).filter(([, each]) => each !== null && each !== undefined).map(([name, each]) =>
    html`<div class=${typeof each === 'object' ? 'wide' : ''}><dt>${words(name)}</dt><dd>${figure(name, each)}</dd></div>`)}</dl>`;
}

function figure(name, value) {
  if (Array.isArray(value)) return list(value);
  if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value.first)) return html`${value.count === undefined ? nothing : html`${number(value.count)} `}${list(value.first)}`;
    return evidence(value);
  }
  if (/_at$|^(at|since|until)$/.test(name)) return time(value);
  if (/_per_second$/.test(name)) return rate(value);
  if (/_ms$/.test(name)) return duration(value);
  if (/_seconds$/.test(name)) return duration(1000 * value);
  if (name === 'job_id') return jobLink(value);
  if (name === 'worker_id' || name === 'worker') return workerLink(value);
  if (name === 'queue') return queueLink(value);
  if (name === 'key') return limitLink(value);
  if (name === 'tenant_id') return tenantLink(value);
  if (name === 'share') return `${Math.round(100 * value)}%`;
  return typeof value === 'number' ? number(value) : String(value);
}

function list(values) {
  if (!values.length) return '–';
  if (typeof values[0] !== 'object') return values.join(', ');
  const names = [...new Set(values.flatMap(Object.keys))];
  return html`<div class="scroll"><table><thead><tr>${names.map(name => html`<th scope="col">${words(name)}</th>`)}</tr></thead>
    <tbody>${values.map(row => html`<tr>${names.map(name => html`<td>${row[name] === undefined ? '–' : figure(name, row[name])}</td>`)}</tr>`)}</tbody></table></div>`;
}

function markdown(value) {
  const lines = [`## ${value.verdict.severity.toUpperCase()}: ${value.verdict.title}`, '', `${value.as_of} · ${location.href}`, ''];
  for (const finding of value.findings) {
    lines.push(`- **${finding.severity}** ${finding.title}. ${finding.text}`);
    for (const advice of finding.do ?? []) lines.push(`  - ${advice.text}`);
  }
  return lines.join('\n');
}
