/** A table being written to a file, in any format. */
export interface TableFile {
  write(rows: readonly (readonly unknown[])[]): Promise<void>;
  close(): Promise<void>;
  /** Closes the file without finishing it. */
  abandon(): Promise<void>;
}
