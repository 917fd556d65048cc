/** Organisations of the simulated bookkeeping software, with their documents. They are in the store, so they survive a restart. */
import type { Clock } from '@portal/domain/clock.ts';
import type { Pence } from '@portal/domain/money.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import type { Recordings } from '../simulator/recordings.ts';
import type { SimulatorStore } from '../simulator/simulator-store.ts';
import type { BooksEntry, BooksSettings } from './books-entry.ts';
import { toFreeAgentRecordings } from './to-freeagent-recordings.ts';
import { toQuickBooksRecordings } from './to-quickbooks-recordings.ts';
import { toXeroRecordings } from './to-xero-recordings.ts';

export const BOOKS_PROGRAMS = ['xero', 'quickbooks', 'freeagent'] as const;
export type ProgramName = (typeof BOOKS_PROGRAMS)[number];

/**
 * `ownerEmail`: the user who may connect it. `isReadable` false: their role excludes accounting data. `isFull`: it has reached the limit of
 * connected apps.
 */
export type SimulatedOrganisation = BooksSettings & {
  readonly id: string;
  readonly ownerEmail: string;
  readonly isReadable: boolean;
  readonly isFull: boolean;
  /** False if a practice has made it inactive in its list of clients. Defaults to true. */
  readonly isActive?: boolean;
};

export type NewEntry = Partial<BooksEntry> & { readonly date: PlainDate; readonly netPence: Pence; readonly vatPence: Pence };
export type NewOrganisation = Partial<SimulatedOrganisation> & Pick<SimulatedOrganisation, 'id' | 'name' | 'ownerEmail' | 'vatNumber'>;

export type SandboxBooks = {
  /** Creates or changes an organisation and keeps its documents. */
  putOrganisation(organisation: NewOrganisation): void;
  /** Creates a document, or changes the given fields of the one with its id. */
  putEntry(organisationId: string, entry: NewEntry): BooksEntry;
  removeEntry(organisationId: string, entryId: string): void;
  listOrganisations(ownerEmail?: string): SimulatedOrganisation[];
  findOrganisation(id: string): SimulatedOrganisation | undefined;
  listEntries(organisationId: string): BooksEntry[];
  read(id: string): Recordings | undefined;
};

const TO_RECORDINGS = { xero: toXeroRecordings, quickbooks: toQuickBooksRecordings, freeagent: toFreeAgentRecordings } as const;

/** Caches the recordings, so that they aren't rebuilt for each page or each time the store is opened. */
const written = new WeakMap<SimulatorStore, Map<ProgramName, Map<string, Recordings>>>();

/** Returns the cached recordings by organisation. A change to one of its documents invalidates them. */
function recordingsOf(store: SimulatorStore, program: ProgramName): Map<string, Recordings> {
  const programs = written.get(store) ?? new Map<ProgramName, Map<string, Recordings>>();
  const recordings = programs.get(program) ?? new Map<string, Recordings>();
  written.set(store, programs.set(program, recordings));
  return recordings;
}

export function openSandboxBooks(store: SimulatorStore, clock: Clock, program: ProgramName): SandboxBooks {
  const organisations = store.collection<SimulatedOrganisation>(`${program}.organisations`);
  const entriesOf = (id: string) => store.collection<BooksEntry>(`${program}.entries.${id}`);
  const listEntries = (id: string): BooksEntry[] =>
    entriesOf(id)
      .list()
      .map(({ document }) => document);
  const recordings = recordingsOf(store, program);
  return {
    putOrganisation: (organisation) => {
      recordings.delete(organisation.id);
      const before = organisations.get(organisation.id);
      organisations.put(organisation.id, { scheme: 'accrual', isDemo: false, isReadable: true, isFull: false, ...before, ...organisation });
    },
    putEntry: (organisationId, change) => {
      recordings.delete(organisationId);
      const entries = entriesOf(organisationId);
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
      entriesOf(organisationId).delete(entryId);
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
      const known = recordings.get(id) ?? TO_RECORDINGS[program](organisation, listEntries(id));
      recordings.set(id, known);
      return known;
    },
  };
}
