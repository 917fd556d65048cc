/** Organisations of the simulated bookkeeping software, with their documents. They are stored, so they survive a restart. */
import type { Clock } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Recordings } from '../simulator/recordings.ts';
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import type { BooksEntry, BooksSettings } from './books-entry.ts';
import { toFreeAgentRecordings } from './to-freeagent-recordings.ts';
import { toQuickBooksRecordings } from './to-quickbooks-recordings.ts';
import { toXeroRecordings } from './to-xero-recordings.ts';

export const BOOKS_PROVIDERS = ['xero', 'quickbooks', 'freeagent'] as const;
export type BooksProviderName = (typeof BOOKS_PROVIDERS)[number];

/**
 * `ownerEmail` is the user who may connect it. `isReadable` is false if their role excludes accounting data. `isFull` is true if it has
 * reached its limit of connected apps.
 */
export type SimulatedOrganisation = BooksSettings & {
  readonly id: string;
  readonly ownerEmail: string;
  readonly isReadable: boolean;
  readonly isFull: boolean;
  /** False if a practice has marked it as inactive in its client list. Defaults to true. */
  readonly isActive?: boolean;
};

export type NewEntry = Partial<BooksEntry> & { readonly date: PlainDate; readonly netPence: Pence; readonly vatPence: Pence };
export type NewOrganisation = Partial<SimulatedOrganisation> & Pick<SimulatedOrganisation, 'id' | 'name' | 'ownerEmail' | 'vatNumber'>;

export type SandboxBooks = {
  /** Creates or updates an organisation. Its documents are kept. */
  putOrganisation(organisation: NewOrganisation): void;
  /** Creates a document, or changes the given fields of the existing one with the same ID. */
  putEntry(organisationId: string, entry: NewEntry): BooksEntry;
  removeEntry(organisationId: string, entryId: string): void;
  listOrganisations(ownerEmail?: string): SimulatedOrganisation[];
  findOrganisation(id: string): SimulatedOrganisation | undefined;
  listEntries(organisationId: string): BooksEntry[];
  read(id: string): Recordings | undefined;
};

const TO_RECORDINGS = { xero: toXeroRecordings, quickbooks: toQuickBooksRecordings, freeagent: toFreeAgentRecordings } as const;

/** Caches the recordings, so that they aren't rebuilt for each page or each time the store is opened. */
const recordingsByStore = new WeakMap<SimulatorStore, Map<BooksProviderName, Map<string, Recordings>>>();

/** Returns the cached recordings by organisation. A change to one of its documents invalidates them. */
function getRecordings(store: SimulatorStore, provider: BooksProviderName): Map<string, Recordings> {
  const recordingsByProvider = recordingsByStore.get(store) ?? new Map<BooksProviderName, Map<string, Recordings>>();
  const recordings = recordingsByProvider.get(provider) ?? new Map<string, Recordings>();
  recordingsByStore.set(store, recordingsByProvider.set(provider, recordings));
  return recordings;
}

export function openSandboxBooks(store: SimulatorStore, clock: Clock, provider: BooksProviderName): SandboxBooks {
  const organisations = store.collection<SimulatedOrganisation>(`${provider}.organisations`);
  const getEntries = (id: string) => store.collection<BooksEntry>(`${provider}.entries.${id}`);
  const listEntries = (id: string): BooksEntry[] =>
    getEntries(id)
      .list()
      .map(({ document }) => document);
  const recordings = getRecordings(store, provider);
  return {
    putOrganisation: (organisation) => {
      recordings.delete(organisation.id);
      const existing = organisations.get(organisation.id);
      organisations.put(organisation.id, {
        scheme: 'accrual',
        isDemo: false,
        isReadable: true,
        isFull: false,
        ...existing,
        ...organisation,
      });
    },
    putEntry: (organisationId, change) => {
      recordings.delete(organisationId);
      const entries = getEntries(organisationId);
      const id = change.id ?? String(entries.list().length + 1);
      const entry: BooksEntry = {
        kind: 'purchase',
        reference: `DOC-${id}`,
        counterparty: 'Severn Glassworks Ltd',
        description: '',
        treatment: change.vatPence === 0 ? 'zero' : 'standard',
        isDraft: false,
        ...entries.get(id),
        ...change,
        id,
        changedAt: clock.now(),
      };
      entries.put(id, entry);
      return entry;
    },
    removeEntry: (organisationId, entryId) => {
      recordings.delete(organisationId);
      getEntries(organisationId).delete(entryId);
    },
    listOrganisations: (ownerEmail) =>
      organisations
        .list()
        .map(({ document }) => document)
        .filter((organisation) => ownerEmail === undefined || organisation.ownerEmail.toLowerCase() === ownerEmail.toLowerCase()),
    findOrganisation: (id) => organisations.get(id),
    listEntries,
    read: (id) => {
      const organisation = organisations.get(id);
      if (!organisation) return undefined;
      const knownRecordings = recordings.get(id) ?? TO_RECORDINGS[provider](organisation, listEntries(id));
      recordings.set(id, knownRecordings);
      return knownRecordings;
    },
  };
}
