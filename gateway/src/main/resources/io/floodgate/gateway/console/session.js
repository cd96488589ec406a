// Who is looking. The key is in this tab alone, and never in an address.
import { state, update } from './store.js';
import { get, onExpired, useKey } from './api.js';

const KEY = 'floodgate.key';

export async function begin() {
  useKey(sessionStorage.getItem(KEY));
  onExpired(() => {
    if (state.session.status === 'in') end('This key is no longer valid: it has expired, or was removed. Sign in with another one.');
  });
  const manifest = get('ojs/manifest');
  await ask();
  update({ manifest: (await manifest).json });
}

async function ask() {
  const tried = sessionStorage.getItem(KEY);
  const answer = await get('ojs/v1/whoami');
  if (answer.ok) update({ session: { status: 'in', ...answer.json } });
  else if (answer.status === 401) update({ session: { status: 'out', message: tried ? 'This key is not valid here.' : '' } });
  else if (answer.status === 403) update({ session: { status: 'out', message: `${answer.json?.error?.message ?? ''} The console takes the scope observe.` } });
  else update({ session: { status: 'unreachable', message: answer.json?.error?.message ?? 'The server does not answer.' } });
  if (state.session.status === 'out') forget();
}

const forget = () => { sessionStorage.removeItem(KEY); useKey(null); };

export async function signIn(key) {
  sessionStorage.setItem(KEY, key);
  useKey(key);
  update({ session: { status: 'asking' } });
  await ask();
}

export function end(message = '') {
  forget();
  update({ session: { status: 'out', message }, data: {}, overview: null, dialog: null });
}

export const again = () => ask();
