/**
 * How the places of a search index are numbered. The even number 2n is the nth block of places; the odd number 2n + 1 is
 * the whole era that starts there.
 */

/**
 * Places of a block. With this size two slices of an era and SQLite's own overhead fit into a page of 4 KiB; with 2,048
 * only one would.
 */
export const BLOCK = 2_016;
export const BLOCKS_PER_ERA = 8;
export const ERA = BLOCK * BLOCKS_PER_ERA;

export const firstPlace = (block: number): number => Math.floor(block / 2) * BLOCK;
export const lastPlace = (block: number): number => firstPlace(block) + (isEra(block) ? ERA : BLOCK) - 1;

export const isEra = (block: number): boolean => block % 2 === 1;
export const eraBlock = (era: number): number => era * BLOCKS_PER_ERA * 2 + 1;
export const isLastOfEra = (block: number): boolean => (firstPlace(block) + BLOCK) % ERA === 0;
