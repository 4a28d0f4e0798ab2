import { expect } from 'chai';
import { reactors } from '../../workers/all.js';
import type { Reactor } from '../../workers/kernel/reactor.js';
import { text, yaml } from './files.js';

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      alert: string;
      expr: string;
      labels: { severity: string };
      annotations: { summary: string };
    }[];
  }[];
}

interface Board {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly type: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

/** Metrics of every process by prom-client, and of Prometheus itself. */
const STANDARD = [
  'up',
  'nodejs_eventloop_lag_p99_seconds',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
];
describe('deploy/monitoring', () => {
  const { groups } = yaml('deploy/monitoring/alerts.yaml') as Rules;
  const rules = groups.flatMap((group) => group.rules);
  const board = JSON.parse(text('deploy/monitoring/grafana/dashboards/recado.json')) as Board;
  const shown = board.panels.flatMap(({ targets }) => targets ?? []);
  const known = new Set([
    ...STANDARD,
    ...[...text('runtime/metrics.ts').matchAll(/'(recado_[a-z_]+)'/g)].map(([, name]) => name!),
    ...[...text('runtime/observe.ts').matchAll(/onScrape(?:Rows)?\(\s*'([a-z_]+)'/g)].map(
      ([, name]) => `recado_${name!}`,
    ),
    ...Object.values<Reactor<never>>(reactors).flatMap(({ name, waitsFor }) =>
      waitsFor === undefined ? [] : [`recado_${name}_waiting`],
    ),
  ]);

  const metricsOf = (expression: string): readonly string[] =>
    [...expression.matchAll(/\b(?:recado|nodejs|process)_[a-z0-9_]+|\bup\b/g)].map(([name]) =>
      known.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''),
    );

  it('asks only for metrics that there are', () => {
    expect(known.size).to.be.greaterThan(10);
    for (const { expr } of [...rules, ...shown]) {
      expect(metricsOf(expr), expr).not.to.be.empty;
      for (const name of metricsOf(expr)) expect(known.has(name), `${name} in ${expr}`).to.equal(true);
    }
  });

  it('has alerts with names of their own, a severity and a sentence', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).to.equal(rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect(['warning', 'critical'], alert).to.include(labels.severity);
      expect(annotations.summary, alert).to.match(/\.$/);
    }
  });

  it('has a line of the runbook for each alert', () => {
    const runbook = text('docs/operators.md');
    for (const { alert } of rules) expect(runbook, alert).to.include(`\`${alert}\``);
  });

  it('shows on the board, or watches, every metric of ours', () => {
    const used = new Set([...rules, ...shown].flatMap(({ expr }) => metricsOf(expr)));
    expect([...known].filter((name) => name.startsWith('recado_') && !used.has(name))).to.deep.equal([]);
  });

  it('has a board whose panels have ids of their own and do not overlap', () => {
    expect(new Set(board.panels.map(({ id }) => id)).size).to.equal(board.panels.length);
    for (const { title, type, gridPos: one, id } of board.panels) {
      expect(one.x + one.w, title).to.be.at.most(24);
      if (type !== 'row')
        expect(board.panels.find((panel) => panel.id === id)!.targets, title).not.to.be.empty;
      for (const { gridPos: other, id: otherId, title: otherTitle } of board.panels) {
        if (otherId === id) continue;
        const apart =
          one.x + one.w <= other.x ||
          other.x + other.w <= one.x ||
          one.y + one.h <= other.y ||
          other.y + other.h <= one.y;
        expect(apart, `${title} and ${otherTitle}`).to.equal(true);
      }
    }
  });
});
