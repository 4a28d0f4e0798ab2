/** `recado store products pictures`: files of this machine become pictures of a product. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { number, text } from '../answer.js';
import type { Client } from '../client.js';
import { Failure, unreadable, usage } from '../failure.js';
import type { Io } from '../io.js';
import { act, examples, path } from '../session.js';

const MOST = 10;
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

interface PicturesOptions {
  readonly company?: string;
  readonly first?: boolean;
  readonly replace?: boolean;
}

export function storePictures(io: Io, noun: Command, whose: (command: Command) => Command): void {
  examples(
    whose(
      noun
        .command('pictures')
        .description('add pictures to a product, from files; the first one is the main one')
        .argument('<product_uuid>')
        .argument('<file...>', 'JPEG, PNG, WebP or GIF, at most 10 MB each'),
    )
      .option('--first', 'before the pictures that it has')
      .option('--replace', 'instead of the pictures that it has'),
    `store products pictures ${EXAMPLE} frente.jpg costas.jpg`,
    `store products pictures ${EXAMPLE} capa.png --first`,
  ).action(
    act<PicturesOptions>(io, async ({ client, out, say, company }, options, uuid, ...files) => {
      const store = `/companies/${await company(options.company)}/store`;
      const product = `${store}/products/${path(uuid)}`;
      const { image_urls: shown, version } = await client.get(product);
      const before = options.replace || !Array.isArray(shown) ? [] : shown.map(text);
      if (before.length + files.length > MOST) {
        throw usage(
          `A product has at most ${MOST} pictures; these would be ${before.length + files.length}.`,
          'Give fewer files, or --replace the pictures that it has.',
        );
      }
      const contents = await Promise.all(files.map(contentOf));
      const added: string[] = [];
      for (const content of contents) added.push(await uploaded(client, `${store}/images`, content));
      const image_urls = options.first ? [...added, ...before] : [...before, ...added];
      // Somebody else may have changed the pictures meanwhile.
      const onlyIf = { 'if-match': `"${number(version)}"` };
      const changed = await client.send('PATCH', product, { image_urls }, onlyIf);
      say(`The product has ${image_urls.length} of at most ${MOST} pictures.`);
      out.one(changed);
    }),
  );
}

interface Content {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const contentOf = async (file: string): Promise<Content> => ({
  name: basename(file),
  bytes: await readFile(file).catch((error: unknown) => {
    throw unreadable(file, error);
  }),
});

/** @throws Failure that names the file */
async function uploaded(
  client: Pick<Client, 'upload'>,
  target: string,
  { name, bytes }: Content,
): Promise<string> {
  try {
    // The server takes the type from the bytes.
    return text((await client.upload(target, {}, bytes, 'application/octet-stream'))['url']);
  } catch (error) {
    if (error instanceof Failure)
      throw new Failure(error.exitCode, `${name}: ${error.message}`, error.next, error);
    throw error;
  }
}
