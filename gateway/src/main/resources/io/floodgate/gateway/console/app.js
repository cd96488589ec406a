// The shell: what surrounds every page, and what is asked for while it is looked at.
import { html, nothing, render } from './lit-html.js';
import { repeat } from './lit-repeat.js';
import { age, drawWith, isStale, loadSettings, OLD, PATIENCE, state, update } from './store.js';
import * as router from './router.js';
import { get, isConfined, may } from './api.js';
import * as session from './session.js';
import * as actions from './actions.js';
import * as keys from './keys.js';
import * as order from './order.js';
import { clock, count, number } from './format.js';
import { drop, severity, shortcuts, showRequests, notice } from './widgets.js';
import * as overview from './page-overview.js';
import * as queues from './page-queues.js';
import * as queue from './page-queue.js';
import * as jobs from './page-jobs.js';
import * as job from './page-job.js';
import * as dead from './page-dead.js';
import * as workers from './page-workers.js';
import * as events from './page-events.js';

/** @type {Record<string, {label: string, key?: string, list?: any, one?: any, load?: () => Promise<any[]>, shared?: boolean, server?: boolean, capability?: string}>} load: what is fetched only when the page is opened */
const PAGES = {
  overview: { label: 'Overview', key: 'o', list: overview, shared: true },
  queues: { label: 'Queues', key: 'q', list: queues, one: queue, shared: true },
  jobs: { label: 'Jobs', key: 'j', list: jobs, one: job },
  dead: { label: 'Dead letters', key: 'd', list: dead },
  workers: { label: 'Workers', key: 'w', list: workers, server: true },
  limits: { label: 'Limits', key: 'l', load: () => import('./page-limits.js').then(page => [page]), server: true },
  tenants: { label: 'Tenants', key: 't', load: () => import('./page-tenants.js').then(page => [page]), server: true },
  pools: { label: 'Pools', load: () => import('./page-pools.js').then(page => [page]), server: true },
  schedules: { label: 'Schedules', key: 'c', load: () => Promise.all([import('./page-schedules.js'), import('./page-schedule.js')]), capability: 'cron_jobs' },
  workflows: { label: 'Workflows', key: 'f', load: () => Promise.all([import('./page-workflows.js'), import('./page-workflow.js')]), capability: 'workflows' },
  keys: { label: 'Unique keys', load: () => import('./page-keys.js').then(page => [page]), server: true, capability: 'unique_jobs' },
  sources: { label: 'Sources', load: () => import('./page-sources.js').then(page => [page]), server: true },
  webhooks: { label: 'Webhooks', load: () => import('./page-webhooks.js').then(page => [page]), server: true, capability: 'webhooks' },
  events: { label: 'Events', key: 'e', list: events, shared: true },
  system: { label: 'System', key: 's', load: () => import('./page-system.js').then(page => [page]), server: true },
  settings: { label: 'Settings', load: () => import('./page-settings.js').then(page => [page]) },
};
const OVERVIEW = 'ojs/v1/admin/overview';
const OVERVIEW_EVERY = 2000;
const root = document.getElementById('app');

const entry = () => PAGES[state.route.page];
const page = () => (state.route.path[0] && entry().one) || entry().list;
/** A tenant's key is for jobs alone; a key for some queues sees nothing of the server. */
const isOffered = ({ server, shared, capability }) => !(server && isConfined()) && !(shared && state.session.tenant) && !(capability && !state.manifest?.capabilities?.[capability]);

// ---- what is asked for
let asking = new AbortController();
let timer = 0;
let overviewTimer = 0;
const isLooking = () => state.session.status === 'in' && state.live && !document.hidden;

function changed() {
  asking.abort();
  clearTimeout(timer);
  events.close();
  update({ data: {} });
  if (state.session.status !== 'in' || !entry()) return;
  if (!page()) return load(entry());
  if (state.route.page === 'events' && isLooking()) events.open(state.route);
  ask(true);
  const heading = () => document.querySelector('main h1')?.focus({ preventScroll: true });
  if (document.activeElement === document.body || document.activeElement?.closest?.('nav.main')) requestAnimationFrame(heading);
}

async function load(opened) {
  try {
    [opened.list, opened.one] = await opened.load();
    if (entry() === opened) changed();
  } catch {
    timer = setTimeout(changed, 3000);
  }
}

async function ask(first = false) {
  clearTimeout(timer);
  if (!first && !isLooking()) return;
  if (state.session.status !== 'in' || !page()) return;
  asking.abort();
  asking = new AbortController();
  const { signal } = asking;
  const shown = page();
  const feeds = Object.entries(shown.feeds(state.route));
  let slowest = 0;
  await Promise.all(feeds.map(async ([name, path]) => {
    try {
      const answer = await get(path, signal);
      if (signal.aborted) return;
      slowest = Math.max(slowest, answer.took);
      const before = state.data[name];
      const last = answer.ok ? null : before?.ok ? before : before?.last ?? null;
      update({ data: { ...state.data, [name]: { ...answer, last } } });
    } catch { /* aborted: another page is shown */ }
  }));
  // What is slow is asked for less often.
  if (!signal.aborted && shown.every && feeds.length) timer = setTimeout(ask, slowest > 1000 ? Math.min(30000, 2 * shown.every + slowest) : shown.every);
}

async function look() {
  clearTimeout(overviewTimer);
  if (!isLooking() || state.session.tenant) return;
  const answer = await get(OVERVIEW, AbortSignal.timeout(1000 * PATIENCE));
  if (answer.ok) {
    announce(answer.json);
    update({ overview: answer, failing: null });
  } else update({ failing: answer });
  if (state.session.status === 'unreachable') session.again();
  clearTimeout(overviewTimer);
  overviewTimer = setTimeout(look, answer.ok ? OVERVIEW_EVERY : 4000);
}

function refresh() {
  order.forget();
  ask(true);
  look();
}

export function pause() {
  update({ live: !state.live });
  if (state.live) resume();
  else events.close();
}

function resume() {
  look();
  ask();
  if (state.route.page === 'events' && isLooking()) events.open(state.route);
}

// ---- what is said to those who do not see it: changes of the verdict, and no numbers
let said = null;
let saidAt = 0;

function announce({ verdict, problems }) {
  const current = `${verdict.severity} ${problems[0]?.finding.title}`;
  said ??= current;
  // What changes within ten seconds is not lost: the next look says what has become of it.
  if (said === current || Date.now() - saidAt < 10000) return;
  said = current;
  saidAt = Date.now();
  state.announcement = problems[0]?.finding.title ?? 'All is well.';
}

// ---- how it looks
function freshness() {
  if (!state.live) return html`<span class="age paused">Paused, ${clock(new Date(state.overview?.at ?? Date.now()).toISOString())}</span>`;
  if (!state.overview) return html`<span class="age">…</span>`;
  const seconds = Math.floor(age());
  return html`<span class="age ${seconds > OLD ? 'old' : ''}">${state.failing ? 'No answer' : seconds > PATIENCE ? 'Waiting' : 'Live'} · ${seconds} s ago</span>`;
}

const top = () => html`<header class="bar">
  <a class="name" href="#/">Floodgate</a>
  ${state.overview ? html`<a class="verdict" href="#/">${severity(state.overview.json.verdict.severity, state.overview.json.verdict.title)}</a>` : nothing}
  <span class="space"></span>
  ${state.session.tenant ? nothing : freshness()}
  <button type="button" class="small" @click=${pause} aria-pressed=${!state.live}>${state.live ? 'Pause' : 'Go on'}</button>
  ${state.session.authentication === 'off' ? html`<span class="badge ${['localhost', '127.0.0.1', '[::1]'].includes(location.hostname) ? '' : 'sign'}" title="No API keys are asked for: all who reach this server may do everything.">open</span>`
    : html`<a href="#/settings" title=${state.session.scopes.join(', ')}>${state.session.name}</a>`}
</header>`;

const menu = () => html`<nav class="main" aria-label="Pages">${Object.entries(PAGES).filter(([, each]) => isOffered(each)).map(([name, { label, key }]) =>
  html`<a href=${router.href(name === 'overview' ? '' : name)} aria-current=${state.route.page === name ? 'page' : nothing} title=${key ? `g ${key}` : nothing}>${label}${name === 'dead' && state.overview?.json.jobs.dead ? html` <span class="quiet">${number(state.overview.json.jobs.dead)}</span>` : nothing}</a>`)}<a href="docs/index.html">Documentation</a></nav>`;

function signIn() {
  const submit = event => {
    event.preventDefault();
    const field = event.target.elements.key;
    const key = field.value.trim();
    field.value = '';
    if (key) session.signIn(key).then(begun);
  };
  return html`<main class="login"><h1>Floodgate</h1>
    ${state.session.message ? notice(state.session.message, 'problem') : nothing}
    <form @submit=${submit}><label for="key">API key</label><input id="key" name="key" type="password" autocomplete="off" required>
      <p class="quiet">With the scope <code>observe</code>, and <code>admin</code> to change things:<br><code>./floodgate keys add me --scope observe,admin --keys FILE</code></p>
      <button class="main">Sign in</button></form>
    <p class="quiet">The key stays in this tab until it is closed.</p></main>`;
}

function dialog() {
  const open = state.dialog;
  if (!open) return nothing;
  const { action, subject, values, preview } = open;
  const fields = action.fields?.(subject) ?? [];
  const set = (name, value) => { values[name] = value; if (action.preview) actions.preview(); update(); };
  const input = field => (field.options
    ? html`<select id=${`field-${field.name}`} @change=${event => set(field.name, event.target.value)}>${field.options.map(option => html`<option ?selected=${values[field.name] === option}>${option}</option>`)}</select>`
    : html`<input id=${`field-${field.name}`} type=${field.type ?? 'text'} maxlength=${field.max ?? nothing} .value=${values[field.name]} @input=${event => set(field.name, event.target.value)}>`);
  const typed = action.typed?.(subject);
  return html`<form @submit=${event => { event.preventDefault(); actions.confirm(); }}>
    <h2 id="dialog-title">${action.label.replace('…', '')}</h2>
    <div>${action.effect(subject)}</div>
    ${action.shows ? html`<pre>${action.shows()}</pre>` : nothing}
    ${fields.map(field => html`<p><label for=${`field-${field.name}`}>${field.label}</label>${input(field)}</p>`)}
    ${action.hint ? html`<p class="quiet">${action.hint(subject, values)}</p>` : nothing}
    ${action.preview ? html`<div class="preview" aria-live="polite">${!preview ? 'Counting …' : preview.failed ? notice(preview.failed, 'problem')
      : html`<strong>${preview.complete ? '' : 'At least '}${count(preview.matched, 'job')}</strong>${preview.matched ? html`: ${Object.entries(preview.by_state).map(([name, amount]) => `${number(amount)} ${name}`).join(', ')}
        <details><summary>Examples</summary>${preview.examples.map(id => html`<div><a class="id" href=${router.href('jobs', [id])} target="_blank">${id}</a></div>`)}</details>` : nothing}`}</div>` : nothing}
    ${typed ? html`<p><label for="typed">This cannot be undone. Type <code>${typed}</code> to confirm</label><input id="typed" autocomplete="off" .value=${open.typed} @input=${event => { open.typed = event.target.value; update(); }}></p>` : nothing}
    ${open.error ? notice(open.error, 'problem') : nothing}
    <p class="buttons"><button type="button" @click=${actions.close}>${action.send ? 'Keep it as it is' : 'Close'}</button>
      <button id="confirm" ?hidden=${!action.send} class=${action.kind === 'D' ? 'danger' : 'main'} ?disabled=${!actions.mayConfirm(open)}>${open.busy ? 'Under way …' : confirmation(action, preview)}</button></p></form>`;
}

/** A button says what it does, and to how many. */
const confirmation = (action, preview) => `${action.label.replace('…', '').replace(' all that match', '')}${action.preview && preview?.matched ? ` ${count(preview.matched, 'job')}` : ''}`;

const toasts = () => html`<div class="toasts" role="status">${repeat(state.toasts, toast => toast.id, toast => html`<p class="toast ${toast.level}">${toast.text}
  ${toast.undo ? html`<button type="button" class="small" @click=${() => { drop(toast.id); toast.undo(); }}>Undo</button>` : nothing}
  <button type="button" class="small" aria-label="Close" @click=${() => drop(toast.id)}>×</button></p>`)}</div>`;

function content() {
  if (!entry() || !isOffered(entry())) return notice(entry() ? 'Your key is not for this page.' : 'There is no such page.', 'warning');
  if (!page()) return html`<p class="loading" aria-busy="true">Loading …</p>`;
  const stale = isStale();
  return html`${stale ? html`<div class="banner" role="alert">No answer since ${clock(new Date(state.overview.at).toISOString())}. What you see is old. No action is offered until the server answers. This page tries again by itself.</div>` : nothing}
    ${state.loaded && state.session.version !== state.loaded ? notice('The server was upgraded: reload this page.', 'warning') : nothing}
    ${may('admin') || ['events', 'settings'].includes(state.route.page) ? nothing : html`<p class="quiet">You may look only: buttons that change things take a key with the scope admin; yours has ${state.session.scopes.join(', ')}.</p>`}
    ${state.operation ? notice(html`Under way: ${number(state.operation.succeeded)} of ${number(state.operation.matched)} jobs. <button type="button" class="small" @click=${() => actions.stop(state.operation.id)}>Stop</button>`) : nothing}
    <div class=${stale ? 'dimmed' : ''}>${page().view(state.data, state.route)}</div>
    ${Object.keys(page().feeds(state.route)).length ? showRequests(page().feeds(state.route)) : nothing}`;
}

function draw() {
  Object.assign(document.documentElement.dataset, { scheme: state.settings.scheme, density: state.settings.density });
  const { status, message } = state.session;
  if (status !== 'in') {
    document.title = 'Floodgate';
    render(status === 'out' ? signIn() : html`<main class="login"><h1>Floodgate</h1><p class="loading">${message ?? 'Loading …'}</p></main>`, root);
    if (document.activeElement === document.body) document.getElementById('key')?.focus();
    return;
  }
  const problems = state.overview?.json.verdict.problems ?? 0;
  document.title = `${problems ? `(${problems}) ` : ''}${entry() ? page()?.title(state.route) ?? entry().label : 'Not found'} · Floodgate`;
  render(html`<a class="skip" href="#main" @click=${event => { event.preventDefault(); document.querySelector('main h1')?.focus(); }}>To the content</a>${top()}<div class="columns">${menu()}<main id="main">${content()}</main></div>
    ${toasts()}<p class="hidden" aria-live="polite">${state.announcement ?? ''}</p>
    <dialog id="dialog" aria-labelledby="dialog-title" @cancel=${event => { event.preventDefault(); actions.close(); }}>${dialog()}</dialog>`, root);
  const element = document.getElementById('dialog');
  if (state.dialog && !element.open) {
    element.showModal();
    element.querySelector('input, select')?.focus();
  } else if (!state.dialog && element.open) element.close();
}

function begun() {
  if (state.session.status !== 'in') return;
  state.loaded ??= state.session.version;
  if (state.session.tenant && state.route.page === 'overview') location.hash = '#/jobs';
  changed();
  look();
}

async function begin() {
  loadSettings();
  root.replaceChildren();
  drawWith(draw);
  actions.refreshWith(refresh);
  router.listen(changed);
  order.watch();
  keys.listen({ pause, refresh, showShortcuts: () => actions.show({ label: 'Shortcuts', effect: shortcuts }) });
  document.addEventListener('visibilitychange', () => { if (isLooking()) resume(); else events.close(); });
  // One clock for every age on the page; a hidden page has no frames and is not drawn.
  setInterval(() => { if (!document.hidden) update(); }, 1000);
  await session.begin();
  begun();
  if (state.session.status === 'unreachable') retry();
}

function retry() {
  setTimeout(async () => {
    await session.again();
    if (state.session.status === 'unreachable') retry();
    else begun();
  }, 3000);
}

begin();
