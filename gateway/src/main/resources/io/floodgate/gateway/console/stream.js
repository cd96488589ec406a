// Server-sent events over fetch: an EventSource cannot send a key, and hides why it was rejected.
import { headers } from './api.js';
import { parsed } from './json.js';

/**
 * Reads until the signal aborts, and goes on where it left off when the connection breaks.
 * @param {(event: {type: string, data: any}) => void} happened
 * @param {(status: string) => void} changed live, waiting, or what the server said
 */
export async function follow(path, signal, happened, changed) {
  let last = '';
  let pause = 1000;
  while (!signal.aborted) {
    try {
      const answer = await fetch(path, { signal, cache: 'no-store', credentials: 'omit', headers: { ...headers(), ...(last ? { 'Last-Event-ID': last } : {}) } });
      if (!answer.ok) {
        changed(parsed(await answer.text())?.error?.message ?? `status ${answer.status}`);
        if (answer.status === 401 || answer.status === 403) return;
      } else {
        await read(answer.body.getReader(), () => {
          pause = 1000;
          changed('live');
        }, event => {
          if (event.id) last = event.id;
          happened(event);
        });
      }
    } catch {
      if (signal.aborted) return;
    }
    changed('waiting');
    const wait = pause * (0.75 + Math.random() / 2);
    pause = Math.min(30000, 2 * pause);
    await new Promise(done => {
      const timer = setTimeout(done, wait);
      signal.addEventListener('abort', () => { clearTimeout(timer); done(); }, { once: true });
    });
  }
}

/** A proxy that buffers answers lets nothing through, not even what keeps the connection alive. */
async function read(reader, begun, happened) {
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    begun();
    begun = () => {};
    rest += decoder.decode(value, { stream: true });
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop();
    blocks.map(parse).filter(Boolean).forEach(happened);
  }
}

/** One event; null for a comment that keeps the connection alive. */
export function parse(block) {
  const event = { type: 'message', id: '', data: null };
  const data = [];
  for (const line of block.split(/\r?\n/)) {
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line);
    if (field === 'event') event.type = value;
    else if (field === 'id') event.id = value;
    else if (field === 'data') data.push(value);
  }
  event.data = parsed(data.join('\n'));
  return event.data === null ? null : event;
}
