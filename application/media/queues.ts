/** Due-time queues for the files of messages; also the names of the worker groups. */
export const FILES = 'files';
export const TRANSCRIPTIONS = 'transcriptions';

/** Row in the due-time store for a message with a file. */
export type FileJob = {
  readonly message_uuid: string;
  readonly company: string;
  /** The event that caused the work, and its correlation id. */
  readonly event_id: string;
  readonly correlation_id: string;
};
