import { messageOf } from '../ports/thrown.js';

/**
 * What a start says that finds its history unavailable. On servers, one answered earlier in this start and is gone now;
 * the embedded store is in this process, so what it lacks is on this machine, such as room on the disk.
 */
export const unavailableAtStart = (error: Error, store: 'embedded' | 'servers'): string =>
  store === 'servers'
    ? `It can not start now, a server went away meanwhile: ${messageOf(error)}`
    : `It can not start now: ${messageOf(error)}. Put that right, then start again; "recado doctor" names what is wrong.`;
