/** CSV files as spreadsheets and ERPs write them: any delimiter, UTF-8 or Windows-1252, one record after the other. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { TextDecoder } from 'node:util';
import { parse } from 'csv-parse';
import { unreadable, usage } from './failure.js';

export interface CsvFormat {
  readonly delimiter: string;
  readonly encoding: 'utf-8' | 'windows-1252';
  /** SHA-256 of the bytes, hex. */
  readonly hash: string;
}

export interface CsvRecord {
  /** Last line of the file that the record is on, from 1. */
  readonly line: number;
  /** As many as the header has, trimmed; missing cells are empty. */
  readonly cells: readonly string[];
}

/** Reads the file once. @throws Failure when it can't be read */
export async function csvFormat(file: string): Promise<CsvFormat> {
  const hash = createHash('sha256');
  const strict = new TextDecoder('utf-8', { fatal: true });
  let encoding: CsvFormat['encoding'] = 'utf-8';
  let header = '';
  try {
    const chunks: AsyncIterable<Buffer> = createReadStream(file);
    for await (const chunk of chunks) {
      hash.update(chunk);
      if (!header.includes('\n')) header += chunk.toString('latin1');
      if (encoding === 'utf-8' && !decodes(strict, chunk)) encoding = 'windows-1252';
    }
  } catch (error) {
    throw unreadable(file, error);
  }
  return { delimiter: delimiterOf(header), encoding, hash: hash.digest('hex') };
}

function decodes(decoder: TextDecoder, chunk: Buffer): boolean {
  try {
    decoder.decode(chunk, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Detected from the first line: spreadsheets in countries with a decimal comma write semicolons. */
function delimiterOf(text: string): string {
  const header = text.split('\n', 1)[0] ?? '';
  const count = (delimiter: string): number => header.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

/** The header first, then every record that is not empty. @throws Failure when the file is not CSV */
export async function* csvRecords(
  file: string,
  { delimiter, encoding }: CsvFormat,
): AsyncGenerator<CsvRecord> {
  const source = createReadStream(file);
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
  });
  source.on('error', (error) => parser.destroy(error));
  Readable.from(decoded(source, encoding)).pipe(parser);
  try {
    const rows: AsyncIterable<{
      readonly record: readonly string[];
      readonly info: { readonly lines: number };
    }> = parser;
    for await (const { record, info } of rows) {
      yield { line: info.lines, cells: record };
    }
  } catch (error) {
    if (error instanceof Error && !('exitCode' in error))
      throw usage(`${file} can't be read: ${error.message}`);
    throw error;
  } finally {
    source.destroy();
  }
}

async function* decoded(source: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: false });
  for await (const chunk of source) {
    const text = decoder.decode(chunk, { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}
