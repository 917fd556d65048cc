/**
 * Simulates clamd, ClamAV's daemon, on a TCP port: PING and INSTREAM in their null-terminated form
 * (docs.clamav.net/manual/Usage/Scanning.html#clamd). It detects one virus, the harmless EICAR test file
 * (eicar.org/download-anti-malware-testfile).
 */
import { createServer, type Socket } from 'node:net';
import type { FaultKind, Faults } from '../simulator/faults.ts';

export const CLAMD_OPERATIONS = ['clamd.scan'] as const;

/** Any file that contains it counts as infected. */
export const EICAR_TEST_FILE = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*';

/** clamd's default StreamMaxLength was 25 MB for years. */
const MAX_STREAM_BYTES = 25 * 1024 * 1024;
const COMMAND_PATTERN = /^z(PING|INSTREAM)\0/;

export type ClamdSimulator = { readonly port: number; close(): Promise<void> };

/** Rejects when the port is in use. Every fault of `clamd.scan` except `slow` ends the connection without a verdict. */
export async function openClamdSimulator(faults: Faults, port: number, host: string): Promise<ClamdSimulator> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Ignores clients that disconnect early.
    socket.on('error', () => socket.destroy());
    serve(socket, faults);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function serve(socket: Socket, faults: Faults): void {
  let receivedBytes = Buffer.alloc(0);
  socket.on('data', (part: Buffer) => {
    receivedBytes = Buffer.concat([receivedBytes, part]);
    const reply = getReply(receivedBytes);
    if (reply === undefined) return;
    socket.removeAllListeners('data').resume();
    const fault: FaultKind | undefined = reply === 'PONG' ? undefined : faults.takeFault('clamd.scan');
    if (fault === undefined) socket.end(`${reply}\0`);
    else if (fault === 'slow') setTimeout(() => socket.end(`${reply}\0`), faults.delays.slowMs);
    else socket.destroy();
  });
}

/** Returns undefined until both the command and the file are complete. */
function getReply(receivedBytes: Buffer): string | undefined {
  const [matchedText, command] = COMMAND_PATTERN.exec(receivedBytes.toString('latin1', 0, 16)) ?? [];
  if (matchedText === undefined) return receivedBytes.byteLength < 16 && !receivedBytes.includes(0) ? undefined : 'UNKNOWN COMMAND';
  if (command === 'PING') return 'PONG';
  const chunks: Buffer[] = [];
  for (let at = matchedText.length, total = 0; at + 4 <= receivedBytes.byteLength;) {
    const length = receivedBytes.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks).includes(EICAR_TEST_FILE) ? 'stream: Eicar-Signature FOUND' : 'stream: OK';
    total += length;
    if (total > MAX_STREAM_BYTES) return 'INSTREAM size limit exceeded. ERROR';
    chunks.push(receivedBytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
}
