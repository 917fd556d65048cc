/** Modulr's request signature: an HMAC over the date and a nonce. The body isn't signed (Modulr API, "Authentication"). */
import { createHmac } from 'node:crypto';

export type SignedRequest = { readonly date: string; readonly nonce: string };

/** Returns a request's base64 signature, before it is URL-encoded into the header. `date` is in HTTP format. */
export function computeSignature({ date, nonce }: SignedRequest, secret: string): string {
  return createHmac('sha512', secret).update(`date: ${date}\nx-mod-nonce: ${nonce}`).digest('base64');
}

/** Returns the headers that authenticate a request. */
export function signRequest(
  request: SignedRequest,
  { keyId, secret }: { readonly keyId: string; readonly secret: string },
): Record<string, string> {
  const signature = encodeURIComponent(computeSignature(request, secret));
  return {
    date: request.date,
    'x-mod-nonce': request.nonce,
    authorization: `Signature keyId="${keyId}",algorithm="hmac-sha512",headers="date x-mod-nonce",signature="${signature}"`,
  };
}
