/**
 * Connections to URLs chosen by third parties. The connection uses the address that was checked in the same look-up, so it doesn't matter
 * if the name resolves differently a moment later.
 */
import { lookup as lookUpName, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

export type LookUp = (name: string, done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void) => void;

export type PublicConnectionOptions = {
  /** In the sandbox, the server is on the same computer and has no certificate. */
  readonly allowsPrivateAddresses: boolean;
  /** Replaced in tests: resolves a name, like dns.lookup with `all`. */
  readonly lookUp?: LookUp;
};

export type PublicConnections = {
  /** For the options of `http.request`. */
  readonly lookup: LookupFunction;
  /** Explains to the user why a URL can't be used; undefined if it can. `example` is a valid one. */
  findAddressProblem(url: string, example: string): string | undefined;
};

export const PRIVATE_ADDRESS_MESSAGE = 'The URL isn’t on the public internet.';

export class PrivateAddressError extends Error {}

export function createPublicConnections({ allowsPrivateAddresses, lookUp = lookUpAll }: PublicConnectionOptions): PublicConnections {
  const mayConnect = (address: string): boolean => allowsPrivateAddresses || isPublicAddress(address);
  return {
    lookup: (name, options, done) => {
      lookUp(name, (error, addresses) => {
        if (error) return done(error, '');
        // A private address among public ones is also an attack.
        const [first] = addresses;
        if (!first || !addresses.every(({ address }) => mayConnect(address)))
          return done(new PrivateAddressError(PRIVATE_ADDRESS_MESSAGE), '');
        return options.all ? done(null, [...addresses]) : done(null, first.address, first.family);
      });
    },
    findAddressProblem: (text, example) => {
      if (!URL.canParse(text)) return `Enter a URL, for example ${example}.`;
      const url = new URL(text);
      if (url.protocol !== 'https:' && !(allowsPrivateAddresses && url.protocol === 'http:'))
        return 'Enter a URL that starts with https://.';
      if (url.username !== '' || url.password !== '') return 'Leave the username and password out of the URL.';
      const host = url.hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) !== 0 && !mayConnect(host)) return PRIVATE_ADDRESS_MESSAGE;
      if (!allowsPrivateAddresses && isIP(host) === 0 && !host.includes('.')) return PRIVATE_ADDRESS_MESSAGE;
      return undefined;
    },
  };
}

const lookUpAll: LookUp = (name, done) => lookUpName(name, { all: true }, (error, addresses) => done(error, addresses));
