/**
 * Validators of the event types, by type. Empty in the sources: the build puts a module in this one's place that holds
 * them as code (deploy/compile-schemas.mjs), because compiling them takes a good part of a start.
 */
import type { ValidateFunction } from 'ajv';

export const compiledSchemas: Readonly<Record<string, ValidateFunction>> = {};
