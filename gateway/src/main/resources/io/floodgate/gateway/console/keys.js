// Everything by keyboard; none of it while one types, and none of it if it is switched off.
import { go } from './router.js';
import { setting, state, update } from './store.js';
import { close } from './actions.js';

export const PAGES = { o: 'overview', q: 'queues', j: 'jobs', d: 'dead', w: 'workers', l: 'limits', t: 'tenants', c: 'schedules', f: 'workflows', e: 'events', s: 'system' };

export const SHORTCUTS = [['?', 'these shortcuts'], ['/', 'to the first search field'], ['g o', 'overview'], ['g q', 'queues'], ['g j', 'jobs'], ['g d', 'dead letters'], ['g w', 'workers'], ['g l', 'limits'], ['g t', 'tenants'], ['g c', 'schedules'], ['g f', 'workflows'], ['g e', 'events'], ['g s', 'system'],
  ['j k', 'next and previous row'], ['Enter', 'open the row'], ['[ ]', 'previous and next tab'], ['p', 'pause and go on'], ['r', 'refresh, in a new order'], ['t', 'dates or “ago”'], ['u', 'UTC or local time'], ['Esc', 'close']];

let pending = '';

export function listen({ pause, refresh, showShortcuts }) {
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && state.dialog) { event.preventDefault(); return close(); }
    const typing = event.target.closest?.('input, select, textarea, dialog');
    if (typing || event.ctrlKey || event.metaKey || event.altKey || !state.settings.keys || state.session.status !== 'in') return;
    if (pending === 'g') {
      pending = '';
      return PAGES[event.key] && go(PAGES[event.key]);
    }
    const act = {
      g: () => { pending = 'g'; setTimeout(() => { pending = ''; }, 1500); },
      '?': showShortcuts,
      '/': () => document.getElementById('search')?.focus(),
      j: () => row(1), k: () => row(-1), '[': () => tab(-1), ']': () => tab(1),
      p: pause, r: refresh,
      t: () => setting('absolute', !state.settings.absolute),
      u: () => setting('utc', !state.settings.utc),
      Escape: () => document.activeElement?.blur(),
    }[event.key];
    if (act) event.preventDefault();
    act?.();
    update();
  });
}

function row(step) {
  const links = [...document.querySelectorAll('main tbody th a')];
  const here = links.indexOf(document.activeElement);
  links[Math.max(0, Math.min(links.length - 1, here + step))]?.focus();
}

function tab(step) {
  const tabs = [...document.querySelectorAll('nav.tabs a')];
  const here = tabs.findIndex(each => each.getAttribute('aria-current'));
  tabs[(here + step + tabs.length) % tabs.length]?.click();
}
