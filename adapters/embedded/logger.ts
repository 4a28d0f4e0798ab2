/** The part of pino's logger that the embedded store uses. */
export interface Logger {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export const silent: Logger = { warn: () => undefined, error: () => undefined };
