/** A passkey as stored on a device: an ES256 key for one site, and a counter (WebAuthn, https://www.w3.org/TR/webauthn-3/). */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export type PasskeyDevice = { sign(challenge: string): Record<string, unknown> };

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();
const base64url = (bytes: Buffer): string => bytes.toString('base64url');
const encodeClientData = (type: string, challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin }));

/** Flags (section 6.1): user present 1, user verified 4, attested credential data 64. */
function encodeAuthenticatorData(flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256('localhost'), Buffer.from([flags]), count]);
}

export function createPasskey(challenge: string, origin: string): { device: PasskeyDevice; response: Record<string, unknown> } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  // COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053 section 7.1.1).
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  const authData = Buffer.concat([encodeAuthenticatorData(1 + 4 + 64, 0), Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(authData.length);
  // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}.
  const attestation = Buffer.concat([Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'), length, authData]);
  const credential = { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {} };
  let counter = 0;
  return {
    response: {
      ...credential,
      response: {
        clientDataJSON: base64url(encodeClientData('webauthn.create', challenge, origin)),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      },
    },
    device: {
      sign: (next) => {
        counter += 1;
        const data = encodeAuthenticatorData(1 + 4, counter);
        const client = encodeClientData('webauthn.get', next, origin);
        const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
        return {
          ...credential,
          response: { clientDataJSON: base64url(client), authenticatorData: base64url(data), signature: base64url(signature) },
        };
      },
    },
  };
}
