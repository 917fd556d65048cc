/** The options of a connection, with a look at the certificate that the server shows. pg has no public access to its socket. */
import { checkServerIdentity } from 'node:tls';
import type pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';

/**
 * Returns the options for a connection string. `onCertificate` hears when the server's certificate ends, for each new connection whose
 * certificate is verified. With a real provider, all are (check-production.ts).
 */
export function readConnectOptions(url: string, onCertificate: (end: Date) => void): pg.ClientConfig {
  const options = parseIntoClientConfig(url);
  if (options.ssl === undefined || options.ssl === false) return options;
  const ssl = options.ssl === true ? {} : options.ssl;
  const checkIdentity = ssl.checkServerIdentity ?? checkServerIdentity;
  return {
    ...options,
    ssl: {
      ...ssl,
      checkServerIdentity: (host, certificate) => {
        onCertificate(new Date(certificate.valid_to));
        return checkIdentity(host, certificate);
      },
    },
  };
}
