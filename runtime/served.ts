/**
 * The paths that a process serves, and their audience. A proxy passes on the public ones; all others are for operators
 * and for the platform that runs the process. deploy/kubernetes and docs/deploying.md must agree with this table.
 */
import { CALLBACK_PATH } from '../application/flows/callback-address.js';
import { IMAGES_PATH } from '../application/store/image-address.js';

export const SERVED = {
  '/api/v1': 'public',
  '/docs': 'public',
  '/providers/whatsapp/webhooks': 'public',
  '/media': 'public',
  [CALLBACK_PATH]: 'public',
  [IMAGES_PATH]: 'public',
  '/loja': 'public',
  '/robots.txt': 'public',
  '/admin/v1': 'inside',
  '/docs/admin': 'inside',
  '/console': 'inside',
  '/inbox': 'inside',
  '/healthz': 'inside',
  '/readyz': 'inside',
  '/metrics': 'inside',
} as const satisfies Readonly<Record<string, 'public' | 'inside'>>;

export type ServedPath = keyof typeof SERVED;

export const PUBLIC_PATHS: readonly string[] = Object.entries(SERVED).flatMap(([path, audience]) =>
  audience === 'public' ? [path] : [],
);
