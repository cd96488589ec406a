// Arguments that clients have encoded. The reader's own codec server decodes them (OJS encryption §9): this server never sees them plain.
import { html, nothing } from './lit-html.js';
import { button, json, notice } from './widgets.js';
import { parsed } from './json.js';
import { state, update } from './store.js';

const TOKEN = 'floodgate.codec-token';
/** The job that was decoded last: its arguments, or why not. */
let shown = { job: null };

export const isEncoded = job => job.args?.length === 1 && job.args[0]?.ojs_encoded === true;

const show = (job, what) => { shown = { job: job.id, ...what }; update(); };

const text = base64 => new TextDecoder().decode(Uint8Array.from(atob(base64), c => c.charCodeAt(0)));

async function decode(job, url) {
  const [{ data, encoding }] = job.args;
  const token = sessionStorage.getItem(TOKEN);
  show(job, { asking: true });
  try {
    const answer = await fetch(`${url.replace(/\/$/, '')}/codec/decode`, {
      method: 'POST', cache: 'no-store', credentials: 'omit',
      headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify({ payloads: [{ data, metadata: { encoding, encryption_key_id: job.meta?.['ojs.codec.key_id'] } }] }),
    });
    if (answer.status === 401 || answer.status === 403) sessionStorage.removeItem(TOKEN);
    if (!answer.ok) return show(job, { problem: `The codec server answered with status ${answer.status}.`, asksToken: answer.status === 401 || answer.status === 403 });
    const payload = parsed(await answer.text())?.payloads?.[0];
    if (typeof payload?.data !== 'string') return show(job, { problem: 'The codec server answered without a payload.' });
    show(job, { args: text(payload.data) });
  } catch (failure) {
    show(job, { problem: `The codec server could not be asked (${failure.message}). It must allow requests from ${location.origin} (CORS), and its data must be base64.` });
  }
}

function tokenForm(job, url) {
  const submit = event => {
    event.preventDefault();
    sessionStorage.setItem(TOKEN, event.target.elements['codec-token'].value.trim());
    decode(job, url);
  };
  return html`<form @submit=${submit}><label for="codec-token">Token for the codec server</label> <input id="codec-token" type="password" autocomplete="off" required> <button type="submit">Decode</button>
    <p class="quiet">It stays in this tab, and is sent to ${url} only.</p></form>`;
}

/** What stands below encoded arguments. */
export function decoding(job) {
  const url = state.manifest?.codec_server_url;
  if (!isEncoded(job)) return nothing;
  if (!url) return html`<p class="quiet">They are encoded (${job.args[0].encoding}). With <code>--codec-server URL</code> of the gateway, this page asks a codec server of yours to decode them.</p>`;
  const known = shown.job === job.id ? shown : {};
  if (known.args) return html`${json('Decoded arguments', known.args)}${parsed(known.args) === null ? notice('They are no JSON: shown as they are.', 'warning') : nothing}`;
  return html`${known.problem ? notice(known.problem, 'problem') : nothing}
    ${known.asksToken ? tokenForm(job, url) : button('Decode arguments', () => decode(job, url), { scope: '', disabled: known.asking })}`;
}
