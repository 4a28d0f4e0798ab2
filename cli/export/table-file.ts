/** A table on its way to a file, in whichever format. */
export interface TableFile {
  write(rows: readonly (readonly unknown[])[]): Promise<void>;
  close(): Promise<void>;
  /** Lets go of the file as it is. */
  abandon(): Promise<void>;
}
