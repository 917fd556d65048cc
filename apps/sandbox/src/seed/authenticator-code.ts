/** Generates authenticator codes (RFC 6238). Implemented separately, so that the server's library isn't tested against itself. */
import { createHmac } from 'node:crypto';

const STEP_SECONDS = 30;
const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the 6-digit code for the current 30-second step, or for `stepsLater` steps later. */
export function generateCode(secret: string, stepsLater = 0): string {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / STEP_SECONDS) + stepsLater));
  const mac = createHmac('sha1', decodeBase32(secret)).update(step).digest();
  // RFC 4226 section 5.3: the low four bits of the last byte are the offset of the code's four bytes.
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

function decodeBase32(text: string): Buffer {
  const bits = [...text.replaceAll(/[\s=]/g, '').toUpperCase()]
    .map((letter) => BASE_32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
