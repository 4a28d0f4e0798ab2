/** The subset of pino's logger that the embedded store uses. */
export interface Logger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export const silent: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
