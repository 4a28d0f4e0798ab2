/**
 * Pix "copia e cola": a BR Code, which is the text of an EMV merchant-presented QR code (EMV QRCPS-MPM 1.1; Banco
 * Central do Brasil, Manual de Padrões para Iniciação do Pix). Fields are id, length and value; all characters are
 * ASCII, so that length in characters is length in bytes.
 */
export interface PixCharge {
  /** As registered: CPF or CNPJ digits, `+55…`, e-mail, or a random UUID. At most 77 characters. */
  readonly key: string;
  readonly merchantName: string;
  readonly merchantCity: string;
  readonly amountCents: number;
  /** The payment repeats it. 1 to 25 letters and digits. */
  readonly txid: string;
}

const GUI = 'br.gov.bcb.pix';
const NAME_MAX = 25;
const CITY_MAX = 15;
/** Merchant category code of ISO 18245: none in particular. */
const CATEGORY = '0000';
/** Currency code, ISO 4217. */
const BRL = '986';

/** @throws RangeError where a field violates the standard: a programming error of the caller */
export function pixCode({ key, merchantName, merchantCity, amountCents, txid }: PixCharge): string {
  if (!/^[\x21-\x7e]{1,77}$/.test(key)) throw new RangeError('a Pix key has 1 to 77 ASCII characters');
  if (!/^[A-Za-z0-9]{1,25}$/.test(txid)) throw new RangeError('a txid has 1 to 25 letters and digits');
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0) {
    throw new RangeError('a Pix charge has a positive amount in whole cents');
  }
  const text =
    field('00', '01') +
    field('26', field('00', GUI) + field('01', key)) +
    field('52', CATEGORY) +
    field('53', BRL) +
    field('54', `${Math.floor(amountCents / 100)}.${String(amountCents % 100).padStart(2, '0')}`) +
    field('58', 'BR') +
    field('59', plain(merchantName, NAME_MAX)) +
    field('60', plain(merchantCity, CITY_MAX)) +
    field('62', field('05', txid));
  // The checksum covers its own id and length too.
  const covered = `${text}6304`;
  return covered + crc16(covered);
}

function field(id: string, value: string): string {
  return id + String(value.length).padStart(2, '0') + value;
}

/** Banks read ASCII only; a field must not be empty. */
function plain(text: string, max: number): string {
  const ascii = text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return ascii.slice(0, max).trim() || 'NA';
}

/** CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF, as four upper-case hex digits. */
function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text, 'latin1')) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = ((crc & 0x8000) !== 0 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
