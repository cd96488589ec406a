// Where one is, in the address behind the #: it can be sent to others, and Back works.
import { state, update } from './store.js';

export function read(hash = location.hash) {
  const [path, search = ''] = hash.replace(/^#\/?/, '').split('?');
  const segments = path.split('/').filter(Boolean).map(decode);
  return { page: segments[0] ?? 'overview', path: segments.slice(1), query: Object.fromEntries(new URLSearchParams(search)) };
}

function decode(segment) {
  try { return decodeURIComponent(segment); } catch { return segment; }
}

export function href(page, path = [], query = {}) {
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = set.length ? `?${new URLSearchParams(set)}` : '';
  return `#/${[page, ...path].map(encodeURIComponent).join('/')}${search}`;
}

export const go = (page, path, query) => { location.hash = href(page, path, query); };

/** The same page with other filters; those that are not named stay. */
export const within = (changes, keepPage = false) =>
  href(state.route.page, state.route.path, { ...state.route.query, ...(keepPage ? {} : { offset: '', cursor: '' }), ...changes });

export const refine = changes => { history.replaceState(null, '', within(changes)); window.dispatchEvent(new HashChangeEvent('hashchange')); };

export function listen(changed) {
  const follow = () => { update({ route: read() }); changed(); };
  window.addEventListener('hashchange', follow);
  follow();
}
