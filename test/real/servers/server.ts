export type ServerName = 'eventstore' | 'mongodb' | 'kafka' | 's3';

/** A server that a test run has started for itself, with the faults it can be put through. */
export interface RunningServer {
  /** What goes into EVENTSTORE_URL, MONGODB_URL or KAFKA_BROKERS. */
  readonly url: string;
  /** What it is, for the report, where a start may answer one of several servers. */
  readonly what?: string;
  readonly pid: number;
  /** SIGSTOP: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  /** SIGKILL, as a crash would. Data stays. */
  kill(): Promise<void>;
  /** On the same address, with the same data. Resolves when it answers. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** A free one when left out. */
  readonly port?: number;
  /** Kept after `stop` when given; a temporary one otherwise. */
  readonly dataDir?: string;
}
