// Nothing moves under the cursor: while the pointer or the focus is in a list, its rows stay where they are.
const kept = new Map();
let inside = false;

const isInside = event => Boolean(event.target.closest?.('[data-list]'));

export function watch() {
  document.addEventListener('pointerover', event => { inside = isInside(event); });
  document.addEventListener('focusin', event => { inside = isInside(event); });
  document.addEventListener('pointerleave', () => { inside = false; });
}

/** Lets all lists take their new order. */
export const forget = () => kept.clear();

export function stable(list, rows, keyOf) {
  const before = kept.get(list);
  if (!inside || !before || before.address !== location.hash) {
    kept.set(list, { address: location.hash, keys: rows.map(keyOf) });
    return rows;
  }
  const places = new Map(before.keys.map((key, i) => [key, i]));
  const at = row => places.get(keyOf(row)) ?? Infinity;
  return [...rows].sort((a, b) => { const x = at(a), y = at(b); return x === y ? 0 : x < y ? -1 : 1; });
}
