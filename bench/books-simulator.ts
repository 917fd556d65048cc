/**
 * The simulators of bookkeeping software in a process of their own, as the real ones run elsewhere: in the portal's process, their documents
 * would fill its memory, and their work would delay it. They have no rate limits.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import type { BooksProviderName } from '@portal/domain/connected-books/books-providers.ts';
import { createFreeAgentBooksSimulator } from '@portal/sandbox/freeagent/freeagent-books-simulator.ts';
import { createQuickBooksBooksSimulator } from '@portal/sandbox/intuit/quickbooks-books-simulator.ts';
import { startSimulatorHost } from '@portal/sandbox/simulator/host-simulators.ts';
import type { FindRecordings, Recordings } from '@portal/sandbox/simulator/recordings.ts';
import { createXeroBooksSimulator } from '@portal/sandbox/xero/xero-books-simulator.ts';

/** The paths of the portal's simulators. */
const BASE_PATHS: Readonly<Record<BooksProviderName, string>> = {
  xero: '/xero/api.xro/2.0',
  quickbooks: '/intuit',
  freeagent: '/freeagent/v2',
};
/** What their accounting APIs serve. FreeAgent’s sign-in has the same path as its API. */
const API_PATH = /^\/(?:xero\/api\.xro\/2\.0|intuit\/v3|freeagent\/v2(?!\/(?:approve_app|users)))\//;

type Command = { readonly provider: BooksProviderName; readonly recordings: Recordings };

export type BooksSimulator = {
  /** Returns the URL from which another process serves what this one asks the portal's simulators for. */
  toUrl(url: string): string;
  /** Replaces the organisation that the provider serves. */
  serve(provider: BooksProviderName, recordings: Recordings): Promise<void>;
  close(): void;
};

export async function startBooksSimulator(): Promise<BooksSimulator> {
  const child = fork(new URL(import.meta.url));
  const [origin] = (await once(child, 'message')) as [string];
  return {
    toUrl: (url) => {
      const { pathname, search } = new URL(url);
      return API_PATH.test(pathname) ? origin + pathname + search : url;
    },
    serve: async (provider, recordings) => {
      child.send({ provider, recordings } satisfies Command);
      await once(child, 'message');
    },
    close: () => void child.kill(),
  };
}

async function runSimulator(send: (message: string) => void): Promise<void> {
  const served = new Map<BooksProviderName, Recordings>();
  const find =
    (provider: BooksProviderName): FindRecordings =>
    (token) =>
      (token === '' ? undefined : served.get(provider)) ?? 'unknown_token';
  const { url } = await startSimulatorHost(
    [
      { basePath: BASE_PATHS.xero, plugin: createXeroBooksSimulator({ find: find('xero') }) },
      { basePath: BASE_PATHS.quickbooks, plugin: createQuickBooksBooksSimulator({ find: find('quickbooks') }) },
      { basePath: BASE_PATHS.freeagent, plugin: createFreeAgentBooksSimulator({ find: find('freeagent') }) },
    ],
    0,
    '127.0.0.1',
  );
  process.on('message', ({ provider, recordings }: Command) => {
    served.set(provider, recordings);
    send('serving');
  });
  process.once('disconnect', () => process.exit());
  send(url);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href && process.send) await runSimulator(process.send.bind(process));
