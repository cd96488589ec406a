import { html } from './lit-html.js';
import { figures, heading } from './widgets.js';
import { setting, state } from './store.js';
import { end } from './session.js';
import { SHORTCUTS } from './keys.js';

export const title = () => 'Settings';
export const every = 0;
export const feeds = () => ({});

const switches = { utc: 'Times in UTC', absolute: 'Dates instead of “12 s ago”', keys: 'Single-key shortcuts', closed: 'Arguments and results closed until asked for' };

export function view() {
  const { session, settings } = state;
  return html`${heading('Settings')}
    <form class="settings" @submit=${event => event.preventDefault()}>
      <label>Scheme <select @change=${event => setting('scheme', event.target.value)}>${['auto', 'light', 'dark'].map(name => html`<option value=${name} ?selected=${settings.scheme === name}>${name === 'auto' ? 'as the system' : name}</option>`)}</select></label>
      ${Object.entries(switches).map(([name, label]) => html`<label class="switch"><input type="checkbox" .checked=${settings[name]} @change=${event => setting(name, event.target.checked)}> ${label}</label>`)}
    </form>
    <h2>Who you are</h2>
    ${figures([['Key', session.name ?? 'none is asked for: all who reach this server may do everything'], ['Scopes', session.scopes?.join(', ')], session.queues && ['Queues', session.queues.join(', ')], session.tenant && ['Tenant', session.tenant]])}
    ${session.authentication === 'keys' ? html`<button type="button" @click=${() => end()}>Sign out</button>` : ''}
    <h2>Shortcuts</h2>
    <dl class="shortcuts">${SHORTCUTS.map(([keys, what]) => html`<div><dt>${keys.split(' ').map(key => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>`;
}
