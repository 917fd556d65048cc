/**
 * Client for clamd, ClamAV's daemon. Uses its INSTREAM command (docs.clamav.net/manual/Usage/Scanning.html#clamd): the null-terminated
 * command, chunks each preceded by their length in four bytes, an empty chunk, and a one-line response.
 */
import { connect, type Socket } from 'node:net';
import { ProviderError, type ProviderErrorFacts, type ProviderFailure } from '../http/provider-error.ts';

export type ScanVerdict = { readonly isInfected: false } | { readonly isInfected: true; readonly signature: string };

export type VirusScanner = {
  /** Throws `unavailable` if clamd didn't return a verdict, in which case the file is neither clean nor infected. */
  scan(bytes: Uint8Array): Promise<ScanVerdict>;
};

export type ClamdSettings = {
  /** For example "tcp://localhost:3310". */
  readonly url: string;
  /** Time limit for one scan; default 20 seconds. */
  readonly timeoutMs?: number;
};

const CHUNK_BYTES = 64 * 1024;
/** A verdict is one short line. */
const MAX_RESPONSE_BYTES = 4096;

export function createClamdClient({ url, timeoutMs = 20_000 }: ClamdSettings): VirusScanner {
  const { hostname, port } = new URL(url);
  return {
    scan: async (bytes) => {
      const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) });
      const timer = setTimeout(() => socket.destroy(new Error('clamd gave no verdict in time')), timeoutMs);
      try {
        return parseVerdict(await exchange(socket, bytes));
      } catch (error) {
        throw error instanceof ProviderError ? error : createError('unavailable', {}, error);
      } finally {
        clearTimeout(timer);
        socket.destroy();
      }
    },
  };
}

async function exchange(socket: Socket, bytes: Uint8Array): Promise<string> {
  const responsePromise = readResponse(socket);
  // If clamd closes the connection early, its response line gives the reason, so a failed write can be ignored.
  await Promise.race([responsePromise, send(socket, bytes)]);
  return responsePromise;
}

async function send(socket: Socket, bytes: Uint8Array): Promise<void> {
  socket.write('zINSTREAM\0');
  for (let start = 0; start < bytes.byteLength; start += CHUNK_BYTES) {
    const chunk = bytes.subarray(start, start + CHUNK_BYTES);
    socket.write(encodeLength(chunk.byteLength));
    if (!socket.write(chunk)) await new Promise<void>((resolve) => void socket.once('drain', resolve).once('close', () => resolve()));
    if (socket.destroyed) return;
  }
  socket.write(encodeLength(0));
}

function encodeLength(count: number): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(count);
  return length;
}

function readResponse(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part) => {
      text += String(part);
      const end = text.indexOf('\0');
      if (end >= 0) resolve(text.slice(0, end));
      else if (text.length > MAX_RESPONSE_BYTES) reject(new Error('clamd’s answer is too long'));
    });
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('clamd closed the connection without a verdict')));
  });
}

const FOUND_PATTERN = /^stream: (.+) FOUND$/;

function parseVerdict(line: string): ScanVerdict {
  if (line === 'stream: OK') return { isInfected: false };
  const [, signature] = FOUND_PATTERN.exec(line) ?? [];
  if (signature !== undefined) return { isInfected: true, signature };
  throw createError('unavailable', { detail: line.slice(0, 200) });
}

function createError(failure: ProviderFailure, facts: Omit<ProviderErrorFacts, 'provider' | 'operation'>, cause?: unknown): ProviderError {
  return new ProviderError(failure, { provider: 'clamd', operation: 'scan', ...facts }, cause);
}
