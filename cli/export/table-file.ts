/** A table on its way to a file, in whichever format. */
export interface TableFile {
  write(rows: readonly (readonly unknown[])[]): Promise<void>;
  close(): Promise<void>;
  /** Closes the file without finishing it. */
  abandon(): Promise<void>;
}
