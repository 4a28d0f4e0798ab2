/** Script and style of the inbox, as text so that they are part of the bundle. */
export const SCRIPT = `'use strict';
const events = document.getElementById('events');
const state = document.getElementById('state');
const blank = document.getElementById('event');
const KEPT = 200;

function say(kind, text) {
  state.dataset.state = kind;
  state.textContent = text;
}

function localTime(time) {
  const at = new Date(time.dateTime);
  if (!Number.isNaN(at.getTime())) time.textContent = at.toLocaleTimeString();
}

function add(entry) {
  const item = blank.content.cloneNode(true);
  for (const node of item.querySelectorAll('[data-field]')) node.textContent = entry[node.dataset.field];
  const time = item.querySelector('time');
  time.dateTime = entry.received_at;
  localTime(time);
  item.querySelector('[data-flag]').hidden = !entry.repeated;
  item.firstElementChild.classList.add('fresh');
  events.prepend(item);
  while (events.children.length > KEPT) events.lastElementChild.remove();
  document.getElementById('empty').hidden = true;
  document.getElementById('news').textContent = entry.type + ' received';
}

for (const time of events.querySelectorAll('time')) localTime(time);
const source = new EventSource('/inbox/stream?after=' + events.dataset.last);
source.addEventListener('open', () => say('live', 'Live'));
source.addEventListener('error', () => say('lost', 'Connection lost, trying again'));
source.addEventListener('inbox', (message) => {
  add(JSON.parse(message.data));
});
`;

export const STYLE = `:root {
  color-scheme: light dark;
  --ground: #f6f5f1; --card: #ffffff; --ink: #1d2421; --soft: #5d6863; --line: #dedcd3; --good: #0b6b4b; --good-ground: #e0f2ea; --warn: #8a4b00; --warn-ground: #fdeed8; --code: #f3f2ec;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #121614; --card: #1b211e; --ink: #e9eeeb; --soft: #9aa7a1; --line: #2f3833; --good: #7fdcb4; --good-ground: #123528; --warn: #f4c07c; --warn-ground: #3a2a12; --code: #141917; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
.top, main { max-width: 56rem; margin: 0 auto; padding: 0 1.25rem; }
.top { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; justify-content: space-between; padding-top: 2.5rem; padding-bottom: 1.25rem; }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.01em; }
.top p { margin: 0.25rem 0 0; color: var(--soft); }
.top .state { display: flex; align-items: center; gap: 0.5rem; padding: 0.25rem 0.75rem; border: 1px solid var(--line); border-radius: 99px; background: var(--card); font-size: 0.875rem; color: var(--ink); }
.state::before { content: ''; width: 0.5rem; height: 0.5rem; border-radius: 50%; background: var(--soft); }
.state[data-state='live']::before { background: var(--good); }
.state[data-state='lost']::before { background: var(--warn); }
.events { list-style: none; margin: 0; padding: 0 0 3rem; display: grid; gap: 0.75rem; }
article { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 0.9rem 1.1rem; display: grid; grid-template-columns: 1fr auto; gap: 0.35rem 1rem; align-items: center; }
h2 { margin: 0; font: 600 1rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
.facts { margin: 0; display: flex; flex-wrap: wrap; gap: 0.35rem 0.75rem; align-items: center; font-size: 0.875rem; color: var(--soft); }
.badge { padding: 0.05rem 0.55rem; border-radius: 99px; background: var(--warn-ground); color: var(--warn); font-weight: 600; font-size: 0.8125rem; }
.badge.good { background: var(--good-ground); color: var(--good); }
[hidden] { display: none !important; }
dl { grid-column: 1 / -1; margin: 0; display: flex; flex-wrap: wrap; gap: 0.1rem 1.5rem; font-size: 0.8125rem; color: var(--soft); }
dl div { display: flex; gap: 0.4rem; }
dd { margin: 0; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
details { grid-column: 1 / -1; }
summary { cursor: pointer; width: max-content; font-size: 0.875rem; font-weight: 600; border-radius: 4px; }
pre { margin: 0.5rem 0 0; padding: 0.75rem 0.9rem; max-height: 28rem; overflow: auto; background: var(--code); border-radius: 8px; font: 0.8125rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--good); outline-offset: 2px; }
.empty { padding: 3rem 1.25rem; text-align: center; color: var(--soft); border: 1px dashed var(--line); border-radius: 10px; }
.refused { padding: 0.6rem 1rem; border-radius: 8px; background: var(--warn-ground); color: var(--warn); }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.fresh article { animation: arrive 1.6s ease-out; }
@keyframes arrive { from { border-color: var(--good); box-shadow: 0 0 0 3px var(--good-ground); } }
@media (prefers-reduced-motion: reduce) { .fresh article { animation: none; } }
@media (max-width: 40rem) { article { grid-template-columns: 1fr; } }
`;
