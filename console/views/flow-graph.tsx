/** A flow as a graph in SVG. Each block is a link, so it is reached by keyboard and opens in a new tab. */
import { useState } from 'preact/hooks';
import type { Schemas } from '../api.js';
import { pauses, summary, type Definition } from '../flow/definition.js';
import { HEAD, layoutOf, ROW, WIDTH, type Box } from '../flow/layout.js';
import { follow } from '../place.js';
import { named, t } from '../words.js';

const ZOOMS = [0.4, 0.55, 0.75, 1, 1.3, 1.7] as const;
const NATURAL = 3;

export interface Path {
  /** Ids of visited blocks. */
  readonly blocks: ReadonlySet<string>;
  /** `block way` of each exit taken. */
  readonly ways: ReadonlySet<string>;
  readonly at: string | null;
}

export function FlowGraph({
  definition,
  problems = [],
  chosen = null,
  linkTo,
  path,
}: {
  readonly definition: Definition;
  readonly problems?: readonly Schemas['FlowProblem'][];
  readonly chosen?: string | null;
  readonly linkTo: (block: string) => string;
  readonly path?: Path;
}) {
  const [zoom, setZoom] = useState(NATURAL);
  const { boxes, edges, width, height } = layoutOf(definition);
  const scale = ZOOMS[zoom]!;
  return (
    <div class="graph-frame">
      <div class="actions zoom">
        <button type="button" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>
          {t('flows.zoomOut')}
        </button>
        <button type="button" disabled={zoom === ZOOMS.length - 1} onClick={() => setZoom(zoom + 1)}>
          {t('flows.zoomIn')}
        </button>
      </div>
      <div class="graph" tabIndex={0} role="group" aria-label={t('flows.graphOf')}>
        <svg
          width={width * scale}
          height={height * scale}
          viewBox={`0 0 ${width} ${height}`}
          role="presentation"
        >
          {edges.map((edge) => (
            <path
              key={`${edge.from} ${edge.path}`}
              d={edge.line}
              class={`edge ${path?.ways.has(`${edge.from} ${edge.path}`) ? 'taken' : ''}`}
            />
          ))}
          {boxes.map((box) => (
            <Node
              key={box.id}
              box={box}
              definition={definition}
              chosen={box.id === chosen}
              trouble={worst(problems, box.id)}
              href={linkTo(box.id)}
              path={path}
            />
          ))}
        </svg>
      </div>
    </div>
  );
}

function worst(problems: readonly Schemas['FlowProblem'][], id: string): 'error' | 'warning' | null {
  const own = problems.filter(({ block }) => block === id);
  if (own.some(({ severity }) => severity === 'error')) return 'error';
  return own.length > 0 ? 'warning' : null;
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

function Node({
  box,
  definition,
  chosen,
  trouble,
  href,
  path,
}: {
  readonly box: Box;
  readonly definition: Definition;
  readonly chosen: boolean;
  readonly trouble: 'error' | 'warning' | null;
  readonly href: string;
  readonly path: Path | undefined;
}) {
  const block = definition.blocks[box.id]!;
  const pause = pauses(block);
  const marks = [
    ...(definition.start === box.id ? [t('flows.start')] : []),
    ...(pause === null ? [] : [t(pause)]),
    ...(trouble === null ? [] : [`${trouble === 'error' ? '■' : '▲'} ${t(`flows.${trouble}`)}`]),
  ];
  const state = [
    chosen ? 'chosen' : '',
    trouble ?? '',
    pause === null ? '' : 'pause',
    path !== undefined && !path.blocks.has(box.id) ? 'off' : '',
    path?.at === box.id ? 'at' : '',
  ].join(' ');
  return (
    <a
      href={href}
      onClick={follow}
      class={`node ${state}`}
      {...(chosen ? { 'aria-current': 'true' as const } : {})}
    >
      <rect x={box.x} y={box.y} width={WIDTH} height={box.height} rx={8} />
      <text x={box.x + 10} y={box.y + 19} class="what">
        {cut(block.label ?? named('kind', block.type), 26)}
      </text>
      <text x={box.x + WIDTH - 8} y={box.y + 19} class="mark" text-anchor="end">
        {marks.join(' · ')}
      </text>
      <text x={box.x + 10} y={box.y + 38} class="says">
        {cut(summary(block) || box.id, 27)}
      </text>
      {box.outputs.map(({ path: way, title, to }, index) => {
        const y = box.y + HEAD + index * ROW;
        return (
          <g key={way}>
            <text x={box.x + WIDTH - 12} y={y + 15} class="port" text-anchor="end">
              {cut(title ?? named('field', way), 28)}
              {to === null ? ` → ${t('flows.end')}` : ''}
            </text>
            {to !== null && <circle cx={box.x + WIDTH} cy={y + ROW / 2} r={4} />}
          </g>
        );
      })}
    </a>
  );
}
