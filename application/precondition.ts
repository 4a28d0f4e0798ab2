/** Writes that hold for one version of a resource: of two that follow from the same read, the second is refused. */
import { Refusal } from '../domain/kernel/refusal.js';

/** Those of which the resource must have one. */
export type Versions = readonly number[];

/** @param wanted undefined: any. @throws Refusal precondition_failed */
export function requireVersion(wanted: Versions | undefined, version: number): void {
  if (wanted && !wanted.includes(version)) throw preconditionFailed(version);
}

export const preconditionFailed = (version: number): Refusal =>
  new Refusal(
    'precondition_failed',
    `The resource is at version ${version}, which If-Match does not name. Read it again, and decide whether the change still holds.`,
    { version },
  );
