/** Due-time queues of the work on files of messages, which are also the groups that the workers are known by. */
export const FILES = 'files';
export const TRANSCRIPTIONS = 'transcriptions';

/** A message with a file, as it stands in the due-time store. */
export type FileJob = {
  readonly message_uuid: string;
  readonly company: string;
  /** Event that asks for the work, and what it belongs to. */
  readonly event_id: string;
  readonly correlation_id: string;
};
