// Requests to the API, which is all that this page lives on.
import { parsed } from './json.js';
import { state } from './store.js';

let key = null;
let expired = () => {};

export const useKey = value => { key = value; };
export const onExpired = handler => { expired = handler; };
export const headers = () => (key ? { Authorization: `Bearer ${key}` } : {});

export const encode = encodeURIComponent;

/**
 * @returns {{ok: boolean, status: number, json: any, text: string, at: number, took: number, headers: Headers|null}} status 0: no answer
 */
export async function request(method, path, body, signal) {
  const begun = Date.now();
  const used = key;
  try {
    const answer = await fetch(path, {
      method, signal, cache: 'no-store', credentials: 'omit',
      headers: { ...headers(), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const ahead = Date.parse(answer.headers.get('Date')) + 1000 - Date.now(); // whole seconds, made once a second
    const text = await answer.text();
    const at = Date.now();
    state.skew = Math.abs(ahead) > 2000 ? ahead : 0;
    const json = parsed(text);
    if (answer.status === 401 && used === key) expired();
    return { ok: answer.ok, status: answer.status, json, text, at, took: at - begun, headers: answer.headers };
  } catch (failure) {
    if (failure.name === 'AbortError') throw failure;
    return { ok: false, status: 0, json: null, text: '', at: Date.now(), took: Date.now() - begun, headers: null };
  }
}

export const get = (path, signal) => request('GET', path, undefined, signal);

/** What a rejection says, in a sentence that tells what to do. */
export function sentence(answer) {
  const error = answer.json?.error;
  const message = error?.message ?? (answer.status ? `The server answered with status ${answer.status}.` : 'The server does not answer.');
  if (answer.status === 0) return `${message} Nothing may have been done, or all of it: look before you try again.`;
  if (error?.details?.outcome === 'unknown') return `It may have been done. Look before you try again. (${message})`;
  if (error?.details?.outcome === 'not_executed') return `Nothing was done: ${message}`;
  return message;
}

export const curl = (method, path, body) =>
  `curl${method === 'GET' ? '' : ` -X ${method}`} -H "Authorization: Bearer $KEY" ${body === undefined ? '' : `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}' `}'${new URL(path, location.href.split('#')[0])}'`;

export const may = scope => state.session.scopes?.includes(scope) ?? false;
export const isConfined = () => Boolean(state.session.confined);
