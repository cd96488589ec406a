// Pages of the documentation that advice leads to, so that they are at hand where there is no network.
import { html } from './lit-html.js';
import { href } from './router.js';
import { helpAt } from './explanation.js';
import { heading, table, when } from './widgets.js';

const FIRST = ['runbooks', 'README.md'];
const at = path => (path.length > 1 ? path : FIRST);

export const title = ({ path }) => `help: ${at(path).at(-1).replace('.md', '')}`;
export const every = 0;
export const feeds = ({ path }) => ({ page: `ui/docs/${at(path).map(encodeURIComponent).join('/')}` });

const MARKED = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)\s]+\))/;

const FOLDERS = { runbooks: 'how-to/runbooks', conformance: 'reference/conformance' };

function link(label, target, section) {
  if (/^https?:/.test(target)) return html`<a href=${target} rel="noreferrer">${label}</a>`;
  const { pathname } = new URL(target, `http://docs/${FOLDERS[section] ?? section}/page.md`);
  return pathname.endsWith('.md') && pathname.split('/').length > 2 ? html`<a href=${helpAt(pathname)}>${label}</a>` : label;
}

const inline = (text, section) => text.split(MARKED).map((part, i) => {
  if (i % 2 === 0) return part;
  if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
  if (part.startsWith('*')) return html`<strong>${inline(part.slice(2, -2), section)}</strong>`;
  const [, label, target] = part.match(/^\[(.+)\]\((.+)\)$/);
  return link(inline(label, section), target, section);
});

const cells = row => row.slice(1, -1).split(/(?<!\\)\|/).map(cell => cell.trim().replaceAll('\\|', '|'));

function tabular([head, , ...rows], section) {
  const columns = cells(head).map((label, i) => ({ label, cell: row => inline(row[i] ?? '', section) }));
  return table('Table', columns, rows.map(cells), row => row);
}

const STARTS = /^(#|\||```|- |\d+\. )/;

function* blocks(text, section) {
  const lines = text.split('\n');
  const take = (first, more) => { const taken = [first]; while (lines.length && more(lines[0])) taken.push(lines.shift()); return taken; };
  while (lines.length) {
    const line = lines.shift();
    if (line.startsWith('```')) {
      yield html`<pre tabindex="0">${take('', each => !each.startsWith('```')).slice(1).join('\n')}</pre>`;
      lines.shift();
    } else if (line.startsWith('##')) yield html`<h2>${inline(line.replace(/^#+ /, ''), section)}</h2>`;
    else if (line.startsWith('|')) yield tabular(take(line, each => each.startsWith('|')), section);
    else if (STARTS.test(line) && !line.startsWith('#')) yield html`<p>${inline(take(line, each => each.trim() && !STARTS.test(each)).join(' ').replace(/^- /, '• '), section)}</p>`;
    else if (line.trim() && !line.startsWith('#')) yield html`<p>${inline(take(line, each => each.trim() && !STARTS.test(each)).join(' '), section)}</p>`;
  }
}

const name = text => text.match(/^# (.*)/m)?.[1] ?? 'Help';

export const view = (data, { path }) => (data.page?.ok ? html`${heading(name(data.page.text))}${[...blocks(data.page.text, at(path)[0])]}
  <p><a href=${href('help')}>All runbooks</a></p>` : html`${heading('Help')}${when(data.page, () => '')}`);
