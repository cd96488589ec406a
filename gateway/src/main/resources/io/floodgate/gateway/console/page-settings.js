import { html, nothing } from './lit-html.js';
import { figures, heading, shortcuts, time } from './widgets.js';
import { setting, state } from './store.js';
import { end } from './session.js';
import { pause } from './app.js';

export const title = () => 'Settings';
export const every = 0;
export const feeds = () => ({});

const CHOICES = {
  scheme: ['Colours', { auto: 'as the system', light: 'light', dark: 'dark' }, 'light or dark'],
  density: ['Rows', { normal: 'normal', compact: 'compact' }, 'compact ones show more of a long list at a time'],
};
const SWITCHES = {
  utc: ['Times in UTC', 'instead of those of this machine'],
  absolute: ['Dates instead of “12 s ago”', 'the other one is in the title of each time'],
  keys: ['Single-key shortcuts', 'those listed below'],
  closed: ['Arguments and results closed until asked for', 'where others can see your screen'],
};

const hint = (id, text) => html`<span class="quiet" id=${id}>${text}</span>`;

const choice = ([name, [label, options, what]]) => html`<p><label for=${name}>${label}</label>
  <select id=${name} aria-describedby=${`${name}-hint`} @change=${event => setting(name, event.target.value)}>${Object.entries(options).map(([value, text]) => html`<option value=${value} ?selected=${state.settings[name] === value}>${text}</option>`)}</select> ${hint(`${name}-hint`, what)}</p>`;

const toggle = (name, label, what, on, change) => html`<p><input type="checkbox" id=${name} aria-describedby=${`${name}-hint`} .checked=${on} @change=${change}> <label for=${name}>${label}</label> ${hint(`${name}-hint`, what)}</p>`;

/** Who is looking: what the key is for, and until when. */
function who({ authentication, name, scopes, queues, tenant, expires_at: expires }) {
  if (authentication === 'off') return html`<p>No key is asked for: all who reach this server may do everything. Keys change that: <code>./floodgate keys add</code> makes one, and <code>--keys</code> has the server ask for it.</p>`;
  return html`${figures([['Key', name], ['Scopes', scopes.join(', '), 'what requests with this key may do'], ['Queues', queues ? queues.join(', ') : tenant ? 'those with its jobs' : 'all'],
    tenant && ['Tenant', tenant], ['Valid until', expires ? time(expires) : 'it is taken away']])}
    <button type="button" @click=${() => end()}>Sign out</button>
    <p class="quiet">The key stays in this tab until it is closed or you sign out.</p>`;
}

export function view() {
  const { session, settings } = state;
  return html`${heading('Settings')}
    <p class="quiet">Kept in this browser, for all pages of this server.</p>
    <form class="settings" @submit=${event => event.preventDefault()}>
      ${Object.entries(CHOICES).map(choice)}
      ${Object.entries(SWITCHES).map(([name, [label, what]]) => toggle(name, label, what, settings[name], event => setting(name, event.target.checked)))}
      ${toggle('live', 'Refresh by itself', 'for this tab, until it is loaded again', state.live, pause)}
    </form>
    <h2>Who you are</h2>${who(session)}
    <h2>Shortcuts</h2>${settings.keys ? nothing : html`<p>They are switched off.</p>`}
    ${shortcuts()}
    <h2>This server</h2>${figures([['Version', session.version], ['Its clock', Math.abs(state.skew) > 2000 ? `${Math.round(Math.abs(state.skew) / 1000)} s ${state.skew > 0 ? 'ahead of' : 'behind'} yours` : 'as yours']])}`;
}
