package io.floodgate.gateway.system;

import io.helidon.http.Header;
import io.helidon.http.HeaderValues;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;

/** The page at the root: which queues there are and how they stand, and where everything else is. */
final class FrontPage {
    static final String HTML = """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Floodgate</title>
            <link rel="icon" href="data:,">
            <style>
              :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
              body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
              table { border-collapse: collapse; width: 100%; }
              th, td { padding: .35rem .6rem; text-align: right; border-bottom: 1px solid #8884; font-variant-numeric: tabular-nums; }
              th:first-child, td:first-child { text-align: left; }
              .note { opacity: .7; }
              pre { overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
              code { font-size: .95em; }
            </style>
            </head>
            <body>
            <h1>Floodgate</h1>
            <p>An <a href="https://openjobspec.org">Open Job Spec</a> backend on Kafka. Jobs go in by
               <code>POST /ojs/v1/jobs</code> and out by <code>POST /ojs/v1/workers/fetch</code>.</p>
            <table>
              <thead><tr><th>Queue</th><th>State</th><th>Available</th><th>Active</th><th>Scheduled</th><th>Retryable</th>
                <th>Completed</th><th>Discarded</th></tr></thead>
              <tbody id="queues"></tbody>
            </table>
            <p class="note" id="note">Loading …</p>
            <form id="ask" hidden><label>API key with the scope <code>observe</code>:
              <input id="key" type="password" autocomplete="off" size="60"></label> <button>Show</button></form>
            <p id="links"><a href="/ojs/manifest">Manifest</a> · <a href="/health">Health</a> · <a href="/metrics">Metrics</a> ·
               <a href="/ojs/v1/queues">Queues</a> · <a href="/ojs/v1/dead-letter">Dead letters</a> ·
               <a href="/ojs/v1/events">Events</a></p>
            <pre id="text" hidden></pre>
            <script>
              const body = document.getElementById('queues'), note = document.getElementById('note');
              const ask = document.getElementById('ask'), key = document.getElementById('key');
              const text = document.getElementById('text');
              // For this tab only, and never in its address.
              let shown = sessionStorage.getItem('key');
              ask.addEventListener('submit', event => {
                event.preventDefault();
                sessionStorage.setItem('key', shown = key.value.trim());
                key.value = '';
                ask.hidden = true;
                refresh();
              });
              const columns = ['name', 'state', 'available', 'active', 'scheduled', 'retryable', 'completed', 'discarded'];
              const load = path => fetch(path, shown ? {headers: {Authorization: 'Bearer ' + shown}} : {});
              // A link takes no key along: what it leads to is shown here.
              document.getElementById('links').addEventListener('click', async event => {
                if (!shown || !event.target.href) return;
                event.preventDefault();
                text.textContent = await (await load(event.target.href)).text();
                text.hidden = false;
              });
              document.addEventListener('visibilitychange', () => { if (!document.hidden && waiting) refresh(); });
              let waiting = false;
              async function refresh() {
                waiting = document.hidden;
                if (waiting) return;
                try {
                  const answer = await load('/ojs/v1/queues?limit=200&config=false');
                  const reply = await answer.json();
                  if (!answer.ok) {
                    body.replaceChildren();
                    note.textContent =
                      (shown && answer.status === 401 ? 'This key is not valid here. ' : '') + reply.error.message;
                    ask.hidden = answer.status !== 401 && answer.status !== 403;
                    if (!ask.hidden) return;
                    throw new Error(reply.error.message);
                  }
                  body.replaceChildren(...reply.queues.map(queue => {
                    const row = document.createElement('tr');
                    row.append(...columns.map(column => {
                      const cell = document.createElement('td');
                      cell.textContent = queue[column] ?? 0;
                      return cell;
                    }));
                    return row;
                  }));
                  const total = reply.pagination.total;
                  note.textContent = total === 0 ? 'No queue yet: the first job creates one.'
                    : total > reply.queues.length ? `${reply.queues.length} of ${total} queues` : '';
                } catch (e) {
                  note.textContent = 'The server does not answer; trying again.';
                }
                setTimeout(refresh, 1000);
              }
              refresh();
            </script>
            </body>
            </html>
            """;

    /** Only what stands in the page itself may run, and only in a frame of its own. */
    static final List<Header> HEADERS = List.of(
            HeaderValues.createCached(
                    "Content-Security-Policy",
                    "default-src 'none'; connect-src 'self'; img-src data:; script-src '%s'; style-src '%s'; base-uri 'none';"
                                    .formatted(hash("script"), hash("style"))
                            + " form-action 'none'; frame-ancestors 'none'"),
            HeaderValues.createCached("X-Frame-Options", "DENY"),
            HeaderValues.createCached("Referrer-Policy", "no-referrer"));

    private FrontPage() {}

    /** Of what stands between the tags, as browsers compute it. */
    private static String hash(String element) {
        int from = HTML.indexOf('>', HTML.indexOf("<" + element)) + 1;
        String text = HTML.substring(from, HTML.indexOf("</" + element));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
