// All that the page shows follows from this one object.
export const state = {
  route: { page: '', path: [], query: {} },
  session: { status: 'unknown' },
  manifest: null,
  overview: null,
  failing: null,
  data: {},
  live: true,
  skew: 0,
  dialog: null,
  toasts: [],
  settings: { utc: false, absolute: false, keys: true, closed: false, scheme: 'auto', density: 'normal' },
};

let draw = () => {};
let due = false;

export function drawWith(render) { draw = render; }

/** Changes the state; the page is drawn once for all changes of a frame. */
export function update(patch = {}) {
  Object.assign(state, patch);
  if (due) return;
  due = true;
  // A hidden page has no frames: it is drawn when it is shown again.
  requestAnimationFrame(() => { due = false; draw(); });
}

const SETTINGS = 'floodgate.settings';

export function loadSettings() {
  try {
    Object.assign(state.settings, JSON.parse(localStorage.getItem(SETTINGS) ?? '{}'));
  } catch { /* damaged or not allowed: as usual */ }
}

export function setting(name, value) {
  state.settings[name] = value;
  try { localStorage.setItem(SETTINGS, JSON.stringify(state.settings)); } catch { /* not allowed: for this page only */ }
  update();
}

/** The server's time, as far as it is known. */
export const now = () => Date.now() + state.skew;

/** Seconds since the last answer of the server. */
export const age = () => (state.overview ? Math.max(0, (Date.now() - state.overview.at) / 1000) : Infinity);

export const OLD = 10;
/** Seconds after which a request for the overview counts as unanswered. */
export const PATIENCE = 5;
const STALE = 30;
export const isStale = () => state.session.status === 'in' && state.overview !== null && (state.failing?.status === 0 || age() > STALE);
