/** Conditional writes for one version of a resource: of two based on the same read, the second is refused. */
import { Refusal } from '../domain/kernel/refusal.js';

/** Versions accepted by the caller; the resource must have one of them. */
export type Versions = readonly number[];

/** @param wanted undefined: any version. @throws Refusal precondition_failed */
export function requireVersion(wanted: Versions | undefined, version: number): void {
  if (wanted && !wanted.includes(version)) throw preconditionFailed(version);
}

export const preconditionFailed = (version: number): Refusal =>
  new Refusal(
    'precondition_failed',
    `The resource is at version ${version}, which If-Match does not name. Read it again, and decide whether the change still holds.`,
    { version },
  );
