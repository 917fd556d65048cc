/**
 * A proxy in front of PostgreSQL that cuts a connection at a chosen commit, before the server receives it or before its response arrives.
 */
import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import type { Connections, Drop } from '../../chaos/model/dropped-connections.ts';

export type CommitProxy = Connections & {
  readonly url: string;
  /** Calls `choose` at every commit to decide whether to drop it, until the connections are healed. */
  dropOften(choose: () => Drop | undefined): void;
  /** How many connections were cut at a commit. */
  readonly cutCounts: Readonly<Record<Drop, number>>;
  close(): void;
};

/**
 * A "Query" message with only this text, as at the end of a transaction: type, length, text, zero byte
 * (postgresql.org/docs/current/protocol-message-formats.html).
 */
const COMMIT_MESSAGE = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1');

export async function openCommitProxy(serverUrl: string): Promise<CommitProxy> {
  const server = new URL(serverUrl);
  const cutCounts = { before_commit: 0, after_commit: 0 };
  let plannedDrop: { readonly drop: Drop; skipped: number } | undefined;
  let choose: (() => Drop | undefined) | undefined;
  const consumePlannedDrop = (): Drop | undefined => {
    if (!plannedDrop || plannedDrop.skipped-- > 0) return undefined;
    const { drop } = plannedDrop;
    plannedDrop = undefined;
    return drop;
  };
  const consumeDrop = (): Drop | undefined => {
    const drop = consumePlannedDrop() ?? choose?.();
    if (drop) cutCounts[drop] += 1;
    return drop;
  };
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connect(Number(server.port), server.hostname);
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    let isResponseLost = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay());
      // The other side notices when its own connection ends.
      socket.on('error', cut);
      socket.once('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    client.on('data', (chunk) => {
      const drop = chunk.equals(COMMIT_MESSAGE) ? consumeDrop() : undefined;
      if (drop === 'before_commit') return cut();
      isResponseLost ||= drop === 'after_commit';
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (isResponseLost) cut();
      else client.write(chunk);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const url = new URL(serverUrl);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  return {
    url: url.href,
    cutCounts,
    dropAt: (drop, skippedCount) => {
      plannedDrop = { drop, skipped: skippedCount };
    },
    dropOften: (chosen) => {
      choose = chosen;
    },
    heal: () => {
      plannedDrop = undefined;
      choose = undefined;
    },
    close: () => {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
