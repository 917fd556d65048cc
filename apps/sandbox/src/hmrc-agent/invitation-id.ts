/**
 * IDs of authorisation requests: 13 characters; the first names the service, the last two are a checksum (hmrc/agent-authorisation-api,
 * InvitationId).
 */
import { createHash } from 'node:crypto';
import type { AgentServiceWire } from './agent-records.ts';

/** Each character encodes five bits. I, Q, V and 0 are not used. */
const ALPHABET = 'ABCDEFGHJKLMNOPRSTUWXYZ123456789';
const PREFIX_BY_SERVICE: Readonly<Record<AgentServiceWire, string>> = { 'MTD-IT': 'A', 'MTD-VAT': 'C' };
const CRC_POLYNOMIAL = 0x233;

/** Derives the ID from agent, client, service and time, so that identical requests at different times get different IDs. */
export function createInvitationId(arn: string, clientId: string, service: AgentServiceWire, createdAt: string): string {
  const bytes = createHash('sha256')
    .update(`${arn}.${clientId},${service}-${Date.parse(createdAt)}`)
    .digest();
  const middlePart = Array.from(bytes.subarray(0, 10), (byte) => ALPHABET[byte & 0x1f] ?? '').join('');
  const body = PREFIX_BY_SERVICE[service] + middlePart;
  return body + computeChecksum(body);
}

export function isInvitationId(text: string): boolean {
  return /^[A-HJ-PR-UW-Z1-9]{13}$/.test(text) && computeChecksum(text.slice(0, 11)) === text.slice(11);
}

/** Computes CRC-10 of the characters, low five bits first. */
function computeChecksum(body: string): string {
  let crc = 0;
  for (const character of body) {
    crc ^= character.charCodeAt(0) << 2;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x200 ? (crc << 1) ^ CRC_POLYNOMIAL : crc << 1;
    crc &= 0x3ff;
  }
  return `${ALPHABET[crc & 0x1f] ?? ''}${ALPHABET[crc >> 5] ?? ''}`;
}
