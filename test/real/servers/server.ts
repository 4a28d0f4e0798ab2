export type ServerName = 'eventstore' | 'mongodb' | 'kafka' | 's3';

/** A server that a test run has started itself, with its possible faults. */
export interface RunningServer {
  /** The value for EVENTSTORE_URL, MONGODB_URL or KAFKA_BROKERS. */
  readonly url: string;
  /** Name of the server for the report, where a start may return one of several servers. */
  readonly what?: string;
  readonly pid: number;
  /** SIGSTOP: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  /** SIGKILL, as in a crash. The data stays. */
  kill(): Promise<void>;
  /** Restarts on the same address with the same data. Resolves when it answers. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Default: a free port. */
  readonly port?: number;
  /** Kept after `stop`. Default: a temporary folder. */
  readonly dataDir?: string;
}
