/** What a collection of a test has around it. */
import { createDocumentCache, type DocumentCache } from '../../../adapters/embedded/document-cache.js';
import { createPacker, type Packer } from '../../../adapters/embedded/packer.js';

export const aroundCollection = (): { documents: DocumentCache; packer: Packer } => ({
  documents: createDocumentCache(),
  packer: createPacker(),
});
