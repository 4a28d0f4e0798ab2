/** Starts all background work that maintains channels and their templates. */
import type { App } from '../../application/app.js';
import { whileHolding } from '../kernel/exclusive.js';
import { startChannelHealth } from './health.js';
import { startTemplateRefresh } from './template-refresh.js';
import { startTemplateSchedule } from './template-schedule.js';
import type { TemplateSyncDeps } from '../../application/templates/sync.js';

export function startChannelWorkers(app: TemplateSyncDeps & Pick<App, 'barrier' | 'dueTimes'>): {
  stop(): Promise<void>;
} {
  const parts = [
    whileHolding(app, 'channel-health', () => startChannelHealth(app)),
    whileHolding(app, 'template-schedule', () => startTemplateSchedule(app)),
    startTemplateRefresh(app),
  ];
  return {
    async stop() {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}
