/** Small real files of their kind, for simulated customers who send "a photo". */
export interface SampleFile {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

/** A green picture of 120 × 90 pixels. */
const JPEG = [
  '/9j/2wBDAA0NDQ0ODQ4QEA4UFhMWFB4bGRkbHi0gIiAiIC1EKjIqKjIqRDxJOzc7STxsVUtLVWx9aWNpfZeHh5e+tb75+f//2wBD',
  'AQ0NDQ0ODQ4QEA4UFhMWFB4bGRkbHi0gIiAiIC1EKjIqKjIqRDxJOzc7STxsVUtLVWx9aWNpfZeHh5e+tb75+f//wgARCABaAHgD',
  'ASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAWAQEBAQAAAAAAAAAAAAAAAAAAAQT/2gAMAwEAAhADEAAAALQmMAAA',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD/8QAFBABAAAAAAAAAAAAAAAAAAAAcP/aAAgBAQABPwA0/8QAFBEBAAAA',
  'AAAAAAAAAAAAAAAAUP/aAAgBAgEBPwBD/8QAFBEBAAAAAAAAAAAAAAAAAAAAUP/aAAgBAwEBPwBD/9k=',
].join('');
const WEBP = 'UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=';

const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

/** One page with the header "Opus, one channel, 48 kHz", and no audio. */
const OGG = Buffer.concat([
  Buffer.from('OggS\0\x02', 'latin1'),
  Buffer.alloc(20),
  Buffer.from([1, 19]),
  Buffer.from('OpusHead', 'latin1'),
  Buffer.from([1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0]),
]);

/** A file type box and an empty media box. */
const MP4 = Buffer.concat([
  Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp42', 'latin1'),
  Buffer.from('\0\0\0\x08mdat', 'latin1'),
]);

const SAMPLES: Readonly<Record<string, SampleFile>> = {
  image: { bytes: Buffer.from(JPEG, 'base64'), mimeType: 'image/jpeg' },
  audio: { bytes: OGG, mimeType: 'audio/ogg; codecs=opus' },
  video: { bytes: MP4, mimeType: 'video/mp4' },
  document: { bytes: Buffer.from(PDF), mimeType: 'application/pdf' },
  sticker: { bytes: Buffer.from(WEBP, 'base64'), mimeType: 'image/webp' },
};

/** @param type message type: `image`, `audio`, `video`, `document`, `sticker` */
export const sampleFile = (type: string): SampleFile => SAMPLES[type]!;
