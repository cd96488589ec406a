// What pages do beyond showing text: the scheme, the menu, search, copying, and other versions. Without it they read the same.
'use strict';
{
  const root = document.documentElement;
  const { dataset } = root;
  const at = path => `${dataset.root}${path}`;
  const stored = {
    get: () => { try { return localStorage.getItem('scheme'); } catch { return null; } },
    set: value => { try { localStorage.setItem('scheme', value); } catch { /* not kept, then */ } },
  };
  const create = (tag, attributes = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.append(...children);
    return element;
  };

  // Before anything is painted.
  root.classList.add('scripted');
  if (stored.get()) dataset.scheme = stored.get();

  function schemes() {
    const button = document.getElementById('site-scheme');
    const isDark = () => (dataset.scheme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
    const show = () => { button.textContent = isDark() ? 'Light' : 'Dark'; button.setAttribute('aria-label', `Switch to ${isDark() ? 'light' : 'dark'} colors`); };
    button.addEventListener('click', () => { dataset.scheme = isDark() ? 'light' : 'dark'; stored.set(dataset.scheme); show(); });
    button.hidden = false;
    show();
  }

  function menu() {
    const button = document.getElementById('site-menu');
    const pages = document.getElementById('site-pages');
    button.hidden = false;
    button.addEventListener('click', () => button.setAttribute('aria-expanded', String(pages.classList.toggle('open'))));
    const current = pages.querySelector('[aria-current]');
    if (current && pages.scrollHeight > pages.clientHeight) pages.scrollTop = current.offsetTop - pages.clientHeight / 2;
  }

  function outline() {
    const details = document.getElementById('site-outline');
    const wide = matchMedia('(min-width: 75rem)');
    const open = () => { details.open = wide.matches; };
    wide.addEventListener('change', open);
    open();
    const links = new Map([...details.querySelectorAll('a')].map(link => [decodeURIComponent(link.hash.slice(1)), link]));
    const headings = [...links.keys()].map(id => document.getElementById(id));
    const mark = () => {
      const passed = headings.filter(heading => heading.getBoundingClientRect().top < 120).at(-1);
      for (const [id, link] of links) link.toggleAttribute('aria-current', id === passed?.id);
    };
    if (links.size) addEventListener('scroll', mark, { passive: true });
  }

  function copying() {
    if (!navigator.clipboard) return;
    for (const listing of document.querySelectorAll('article pre')) {
      const button = create('button', { type: 'button', className: 'copy', textContent: 'Copy' });
      button.addEventListener('click', () => navigator.clipboard.writeText(listing.textContent).then(() => { button.textContent = 'Copied'; }));
      const around = create('div', { className: 'listing' });
      listing.replaceWith(around);
      around.append(listing, button);
    }
  }

  /** Where other versions are: beside this one, as a list says. */
  async function versions() {
    if (!dataset.versions) return;
    const answer = await fetch(dataset.versions).catch(() => null);
    if (!answer?.ok) return;
    const all = await answer.json();
    const select = create('select', { ariaLabel: 'Version' }, ...all.map(name => create('option', { textContent: name, selected: name === dataset.version })));
    const here = location.href.slice(new URL(at(''), location.href).href.length);
    select.addEventListener('change', async () => {
      const other = new URL(`${at('../')}${select.value}/`, location.href);
      const same = await fetch(new URL(here, other), { method: 'HEAD' }).catch(() => null);
      location.href = new URL(same?.ok ? here : 'index.html', other).href;
    });
    document.getElementById('site-version').replaceChildren(select);
  }

  // ---- search
  let index;
  const load = () => (index ??= fetch(at('search.json')).then(answer => (answer.ok ? answer.json() : Promise.reject(answer.status))));

  const WEIGHTS = { '.': 1, ',': 2, '!': 8 };
  function* postings(text) {
    let section = 0;
    for (const [, distance, sign] of text.matchAll(/([0-9a-z]+)([.,!])/g)) {
      section += parseInt(distance, 36);
      yield [section, WEIGHTS[sign]];
    }
  }

  const stem = word => word.replace(/(?<=..)s$/, '');

  /** Sections that have all words, the best first: rare words, and words of headings, count more. */
  function search({ words, sections, pages, ignored }, query) {
    const asked = (query.toLowerCase().match(/[a-z0-9]{2,24}/g) ?? []).filter(word => !ignored.includes(word));
    if (!asked.length) return [];
    let found = null;
    for (const word of asked) {
      const scores = new Map();
      for (const candidate in words) {
        if (!candidate.startsWith(stem(word))) continue;
        const list = [...postings(words[candidate])];
        const rarity = Math.log(1 + sections.length / list.length) * (stem(candidate) === stem(word) ? 1 : 0.4);
        for (const [section, weight] of list) scores.set(section, Math.max(scores.get(section) ?? 0, weight * rarity));
      }
      found = found ? new Map([...found].filter(([section]) => scores.has(section)).map(([section, score]) => [section, score + scores.get(section)])) : scores;
    }
    const adjusted = ([section, score]) => {
      const [page, anchor, heading] = sections[section];
      const [, title, group] = pages[page];
      const named = (heading || title).toLowerCase();
      const hits = asked.filter(word => named.includes(stem(word))).length / asked.length;
      return [section, score * (group === 'Contributing' ? 0.5 : 1) * (1 + hits) * (hits === 1 && !anchor ? 1.5 : 1)];
    };
    return [...found].map(adjusted).sort((one, other) => other[1] - one[1]).slice(0, 12).map(([section]) => section);
  }

  function searching() {
    const place = document.getElementById('site-search');
    const query = document.getElementById('site-query');
    const results = document.getElementById('site-results');
    const status = document.getElementById('site-found');
    const close = () => { results.hidden = true; };
    const show = (message, ...items) => { results.replaceChildren(...items); results.hidden = false; status.textContent = message; };
    const result = ({ sections, pages }, section) => {
      const [page, anchor, heading, excerpt] = sections[section];
      const [path, title, group] = pages[page];
      const name = heading ? `${title}: ${heading}` : title;
      return create('li', {}, create('a', { href: `${at(path)}${anchor && `#${anchor}`}` }, create('strong', { textContent: name }), create('small', { textContent: [group, excerpt].filter(Boolean).join(' · ') })));
    };
    const look = async () => {
      const asked = query.value.trim();
      if (!asked) { close(); return; }
      try {
        const loaded = await load();
        if (asked !== query.value.trim()) return;
        const found = search(loaded, asked);
        if (found.length) show(`${found.length} results`, ...found.map(section => result(loaded, section)));
        else show('Nothing found', create('li', {}, create('p', { textContent: `Nothing found for “${asked}”.` })));
      } catch {
        index = undefined;
        show('Search is not available', create('li', {}, create('p', { textContent: 'Search needs these pages to come from a web server.' })));
      }
    };
    const move = (event, step) => {
      const links = [query, ...results.querySelectorAll('a')];
      event.preventDefault();
      links[Math.min(Math.max(links.indexOf(document.activeElement) + step, 0), links.length - 1)].focus();
    };
    place.hidden = false;
    query.addEventListener('focus', () => { load().catch(() => { index = undefined; }); look(); });
    query.addEventListener('input', look);
    place.addEventListener('keydown', event => {
      if (event.key === 'ArrowDown') move(event, 1);
      else if (event.key === 'ArrowUp') move(event, -1);
      else if (event.key === 'Escape') { close(); query.focus(); close(); }
      else if (event.key === 'Enter' && event.target === query) results.querySelector('a')?.click();
    });
    document.addEventListener('click', event => { if (!place.contains(event.target)) close(); });
    document.addEventListener('focusin', event => { if (!place.contains(event.target)) close(); });
    document.addEventListener('keydown', event => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || /^(input|select|textarea)$/i.test(event.target.tagName)) return;
      event.preventDefault();
      query.focus();
      query.select();
    });
  }

  document.addEventListener('DOMContentLoaded', () => [schemes, menu, outline, copying, searching, versions].forEach(each => each()));
}
