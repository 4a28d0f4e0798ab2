/** The architecture as SVG: the parts, and the way of a message through them, numbered as in docs/architecture.md. */

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly title: string;
  readonly text: string;
  readonly outside?: boolean;
}
interface Arrow {
  /** Corners, from the first to the one with the point. */
  readonly way: readonly (readonly [x: number, y: number])[];
  readonly label: string;
  readonly at: readonly [x: number, y: number];
}

const HEIGHT = 62;
const BOXES: readonly Box[] = [
  { x: 20, y: 40, width: 160, title: 'Integrator', text: 'shop, ERP, website', outside: true },
  { x: 20, y: 400, width: 160, title: 'Receiver', text: 'webhooks or the feed', outside: true },
  { x: 880, y: 220, width: 160, title: 'WhatsApp', text: 'Cloud API or sandbox', outside: true },
  { x: 260, y: 40, width: 200, title: 'API', text: 'contract, gates, decisions' },
  { x: 260, y: 220, width: 200, title: 'Event store', text: 'the history: the only truth' },
  { x: 260, y: 400, width: 200, title: 'Read models', text: 'projections, rebuilt at will' },
  { x: 580, y: 40, width: 200, title: 'Topics and due times', text: 'by the relay, not lost' },
  { x: 580, y: 160, width: 200, title: 'Sending', text: 'pace, one call, outcome' },
  { x: 580, y: 280, width: 200, title: 'Inbound', text: 'webhook inbox, statuses' },
  { x: 580, y: 400, width: 200, title: 'Notifications', text: 'signed, retried, in the feed' },
];
const ARROWS: readonly Arrow[] = [
  {
    way: [
      [180, 71],
      [260, 71],
    ],
    label: '1 POST /messages',
    at: [220, 30],
  },
  {
    way: [
      [290, 102],
      [290, 220],
    ],
    label: '2 SendAccepted',
    at: [350, 185],
  },
  {
    way: [
      [420, 220],
      [420, 150],
      [520, 150],
      [520, 71],
      [580, 71],
    ],
    label: '3 relay',
    at: [488, 143],
  },
  {
    way: [
      [680, 102],
      [680, 160],
    ],
    label: '',
    at: [0, 0],
  },
  {
    way: [
      [780, 191],
      [960, 191],
      [960, 220],
    ],
    label: '4 one call',
    at: [870, 183],
  },
  {
    way: [
      [580, 191],
      [500, 191],
      [500, 238],
      [460, 238],
    ],
    label: '5 outcome',
    at: [540, 183],
  },
  {
    way: [
      [960, 282],
      [960, 311],
      [780, 311],
    ],
    label: '6 statuses, messages',
    at: [872, 329],
  },
  {
    way: [
      [580, 311],
      [500, 311],
      [500, 264],
      [460, 264],
    ],
    label: '',
    at: [0, 0],
  },
  {
    way: [
      [360, 282],
      [360, 400],
    ],
    label: 'applied',
    at: [394, 345],
  },
  {
    way: [
      [460, 431],
      [580, 431],
    ],
    label: 'what it shows',
    at: [520, 423],
  },
  {
    way: [
      [680, 462],
      [680, 490],
      [100, 490],
      [100, 462],
    ],
    label: '7 signed webhook',
    at: [390, 483],
  },
  {
    way: [
      [260, 415],
      [225, 415],
      [225, 90],
      [180, 90],
    ],
    label: 'GET',
    at: [206, 250],
  },
];

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function box({ x, y, width, title, text, outside = false }: Box): string {
  const middle = x + width / 2;
  return `<rect class="${outside ? 'outside' : 'part'}" x="${x}" y="${y}" width="${width}" height="${HEIGHT}" rx="8"/>
<text class="title" x="${middle}" y="${y + 27}">${escaped(title)}</text>
<text x="${middle}" y="${y + 46}">${escaped(text)}</text>`;
}

function arrow({ way, label, at: [x, y] }: Arrow): string {
  const line = `<polyline points="${way.map((point) => point.join(',')).join(' ')}" marker-end="url(#point)"/>`;
  return label === '' ? line : `${line}\n<text class="label" x="${x}" y="${y}">${escaped(label)}</text>`;
}

export function architecture(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1060 510" role="img" aria-labelledby="title">
<title id="title">Architecture: a message goes from the integrator through the API into the event store, by topics to sending, to WhatsApp, and its outcome comes back as events and webhooks</title>
<style>
text { font: 13px system-ui, sans-serif; text-anchor: middle; fill: #44403c }
.title { font-weight: 600; font-size: 15px; fill: #1c1917 }
.label { font-size: 12.5px; fill: #0f766e; paint-order: stroke; stroke: #fff; stroke-width: 4px }
.part { fill: #f0fdfa; stroke: #0f766e }
.outside { fill: #fafaf9; stroke: #a8a29e; stroke-dasharray: 5 3 }
polyline { fill: none; stroke: #57534e; stroke-width: 1.5 }
</style>
<defs><marker id="point" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#57534e"/></marker></defs>
<rect width="1060" height="510" fill="#fff"/>
${ARROWS.map(arrow).join('\n')}
${BOXES.map(box).join('\n')}
</svg>
`;
}
