/**
 * Checks TRUSTED_PROXIES against the requests received. Set too low, all callers count as one address; set too high, a
 * caller chooses the address that it counts as.
 */
import type { IncomingMessage } from 'node:http';
import { ok, warn, type Finding } from '../api/admin/doctor.js';
import type { Logger } from '../ports/logger.js';
import { PUBLIC_PATHS } from './served.js';

export interface ProxyWatch {
  /** Checks a request. Logs a warning, once for each direction. */
  saw(request: Pick<IncomingMessage, 'headers' | 'url'>): void;
  /** The warnings so far, a sentence for each direction. */
  warnings(): readonly string[];
}

export function createProxyWatch(trusted: number, logger: Logger): ProxyWatch {
  const warned = new Set<string>();

  function say(sentence: string): void {
    if (warned.has(sentence)) return;
    warned.add(sentence);
    logger.warn({ trusted_proxies: trusted }, sentence);
  }

  return {
    saw({ headers, url = '' }) {
      // Probes and operators connect directly, past the proxy.
      if (!PUBLIC_PATHS.some((path) => url === path || url.startsWith(`${path}/`))) return;
      const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',');
      const hops = forwarded.trim() === '' ? 0 : forwarded.split(',').length;
      if (trusted === 0 && hops > 0) {
        say(
          'A request came with X-Forwarded-For, and TRUSTED_PROXIES is 0. Where a proxy stands before Recado, all ' +
            'callers count as one address: set TRUSTED_PROXIES to the number of proxies.',
        );
      } else if (hops < trusted) {
        say(
          `A request passed fewer proxies than TRUSTED_PROXIES says (${hops} instead of ${trusted}, by ` +
            'X-Forwarded-For). A caller could choose the address that it counts as: set TRUSTED_PROXIES to the number ' +
            'of proxies, and let nobody past them.',
        );
      }
    },
    warnings: () => [...warned],
  };
}

/** The findings of this process since its start, for `recado doctor`. */
export function proxyFindings(watch: ProxyWatch): readonly Finding[] {
  const warnings = watch.warnings();
  if (warnings.length === 0) return [ok('proxies', 'No request contradicts TRUSTED_PROXIES.')];
  return warnings.map((sentence) =>
    warn('proxies', sentence, 'docs/deploying.md says which number is right.'),
  );
}
