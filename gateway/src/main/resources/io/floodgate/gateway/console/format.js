// Numbers, times and sizes as people read them.
import { state, now } from './store.js';

const grouped = new Intl.NumberFormat('en-US');
const UNKNOWN = '–';

export const number = value => (value === undefined || value === null ? UNKNOWN : grouped.format(value));
export const count = (value, noun) => `${number(value)} ${noun}${value === 1 ? '' : 's'}`;

/** Two significant digits; slow ones by the minute. */
export function rate(perSecond) {
  if (perSecond === undefined || perSecond === null) return UNKNOWN;
  if (perSecond === 0) return '0';
  if (perSecond >= 1) return `${perSecond >= 100 ? grouped.format(Math.round(perSecond)) : Number(perSecond.toPrecision(2))}/s`;
  const perMinute = perSecond * 60;
  return perMinute < 0.1 ? '< 0.1/min' : `${Number(perMinute.toPrecision(2))}/min`;
}

export function share(part, whole) {
  if (!whole) return UNKNOWN;
  const percent = (100 * part) / whole;
  return percent > 0 && percent < 1 ? '< 1%' : `${Math.round(percent)}%`;
}

/** Never rounded up to full. */
export const filled = pressure => (pressure === undefined ? UNKNOWN : `${Math.floor(100 * pressure)}%`);

export function bytes(size) {
  if (size === undefined || size === null) return UNKNOWN;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024;
  return `${unit === 0 ? size : Number(size.toPrecision(3))} ${units[unit]}`;
}

/** Two units at most. */
export function duration(milliseconds) {
  if (milliseconds === undefined || milliseconds === null || Number.isNaN(milliseconds)) return UNKNOWN;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = Math.round(milliseconds / 1000);
  const parts = [['d', Math.floor(seconds / 86400)], ['h', Math.floor(seconds / 3600) % 24], ['min', Math.floor(seconds / 60) % 60], ['s', seconds % 60]];
  const first = parts.findIndex(([, amount]) => amount > 0);
  return parts.slice(first, first + 2).filter(([, amount]) => amount > 0).map(([unit, amount]) => `${amount} ${unit}`).join(' ');
}

export function relative(time) {
  const distance = now() - Date.parse(time);
  if (Math.abs(distance) < 1000) return 'now';
  return distance < 0 ? `in ${duration(-distance)}` : `${duration(distance)} ago`;
}

export function absolute(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const at = state.settings.utc ? date : new Date(date.getTime() - date.getTimezoneOffset() * 60000);
  const text = at.toISOString().replace('T', ' ').slice(0, 19);
  return state.settings.utc ? `${text} UTC` : text;
}

/** What clocks show in a time zone; without one, those of who looks. */
export function inZone(time, timeZone) {
  if (!timeZone) return absolute(time);
  try {
    return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(new Date(time));
  } catch {
    return `${new Date(time).toISOString().replace('T', ' ').slice(0, 19)} UTC, not`;
  }
}

/** HH:MM:SS. */
export const clock = time => absolute(time).slice(11, 19);
