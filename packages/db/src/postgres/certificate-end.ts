import { TLSSocket } from 'node:tls';
import type pg from 'pg';

/** Returns when the certificate of the connection's server ends. Undefined without TLS. */
export function readCertificateEnd(client: pg.ClientBase): Date | undefined {
  // pg has no public name for its socket.
  const { stream } = (client as unknown as { readonly connection: { readonly stream: unknown } }).connection;
  return stream instanceof TLSSocket ? new Date(stream.getPeerCertificate().valid_to) : undefined;
}
