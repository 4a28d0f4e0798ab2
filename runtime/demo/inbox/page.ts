/** The inbox as HTML. All received content is escaped here and set as text by the script: it never becomes markup. */
import type { InboxEntry } from './entries.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char);

export function renderPage(entries: readonly InboxEntry[], refused: number): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Webhook inbox – Recado</title>
<link rel="stylesheet" href="/inbox/app.css">
<script src="/inbox/app.js" defer></script>
</head>
<body>
<header class="top">
  <div>
    <h1>Webhook inbox</h1>
    <p>Events of the demo workspace, as an integration receives them. The newest is on top.</p>
  </div>
  <p class="state" id="state" role="status" data-state="still">Reload for newer events</p>
</header>
<main>
  <p class="refused"${refused === 0 ? ' hidden' : ''}>${refused} refused: signature or body not valid.</p>
  <p class="empty" id="empty"${entries.length === 0 ? '' : ' hidden'}>Nothing yet. Send a message through the API and its events show up here.</p>
  <ol class="events" id="events" data-last="${entries[0]?.number ?? 0}" reversed aria-label="Events">
${entries.map(renderEntry).join('\n')}
  </ol>
  <template id="event">${renderEntry(BLANK)}</template>
  <p class="quiet" id="news" aria-live="polite"></p>
</main>
</body>
</html>
`;
}

const BLANK: InboxEntry = {
  number: 0,
  received_at: '',
  type: '',
  event_id: '',
  delivery_id: '',
  attempt: '',
  repeated: false,
  body: '',
};

function renderEntry(entry: InboxEntry): string {
  const text = (field: keyof InboxEntry): string => escape(String(entry[field]));
  return `<li><article>
<h2 data-field="type">${text('type')}</h2>
<p class="facts">
  <span class="badge good">Signature verified</span>
  <span class="badge" data-flag="repeated"${entry.repeated ? '' : ' hidden'}>Repeated event</span>
  <span>attempt <span data-field="attempt">${text('attempt')}</span></span>
  <time data-field="received_at" datetime="${text('received_at')}">${text('received_at')}</time>
</p>
<dl>
  <div><dt>Event</dt><dd data-field="event_id">${text('event_id')}</dd></div>
  <div><dt>Delivery</dt><dd data-field="delivery_id">${text('delivery_id')}</dd></div>
</dl>
<details><summary>Body</summary><pre tabindex="0" data-field="body">${text('body')}</pre></details>
</article></li>`;
}
