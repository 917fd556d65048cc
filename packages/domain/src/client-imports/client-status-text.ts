/** Parses whether a row of an import is a client, a former client or not a client, in the terms that client lists use. */
import { createRejection, type Parsed, parsed } from '../parsed.ts';
import type { ClientStatus } from '../clients/client.ts';

/** `prospect`: not a client yet, or not a client at all, such as a supplier. */
export const IMPORTED_STATUSES = ['active', 'archived', 'prospect'] as const;
export type ImportedStatus = (typeof IMPORTED_STATUSES)[number];

const splitWords = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

/**
 * In lower-case letters and digits. TaxDome's “Offline” and “Pending” are about the client's log-in, not about the engagement (TaxDome
 * help, “Account statuses”). BrightManager calls a former client NLAC, “no longer a client”. Karbon has prospects and suppliers as contact
 * types. A client whose account is dormant, suspended or cancelled may still have returns to file, so the user decides about these.
 */
const STATUS_WORDS: Readonly<Record<ImportedStatus, readonly string[]>> = {
  active:
    splitWords(`active activeclient current currentclient client clients existing existingclient live liveclient engaged ongoing retained
    onboarding onboarded onboardingclient newclient open offline pending pendingactivation customer won yes y true 1`),
  archived:
    splitWords(`archived archive archivedclient inactive inactiveclient notactive nonactive former formerclient past pastclient previous
    previousclient ex exclient lost lostclient ceased left leftfirm leaver closed closedclient disengaged resigned terminated ended deleted
    removed disabled dissolved struckoff nolongeraclient nolongerclient nlac no n false 0`),
  prospect:
    splitWords(`prospect prospects prospective prospectiveclient potential potentialclient lead leads hotlead warmlead coldlead newlead
    enquiry inquiry opportunity proposal proposalsent quoted quotesent unqualified qualified lostlead lostprospect declined supplier
    suppliers`),
};

const STATUS_BY_WORD: ReadonlyMap<string, ImportedStatus> = new Map(
  IMPORTED_STATUSES.flatMap((status) => STATUS_WORDS[status].map((word) => [word, status] as const)),
);

/** A client without a recognised status counts as active, so that deadlines aren't hidden. */
export function parseImportedStatus(text: string): Parsed<ImportedStatus> {
  const status = STATUS_BY_WORD.get(text.toLowerCase().replaceAll(/[^a-z0-9]+/g, ''));
  return status === undefined
    ? createRejection('Enter active, archived or prospect. Until you do, the client is imported as active.')
    : parsed(status);
}

/** Returns the status of a client created from a row. */
export function toClientStatus(status: ImportedStatus | null): ClientStatus {
  return status === null || status === 'active' ? 'active' : 'inactive';
}

/** Returns true if the status of an existing client contradicts the file's. A lead counts as current, and also as a prospect. */
export function isStatusContradicted(current: ClientStatus, status: ImportedStatus | null): boolean {
  if (status === null || (status === 'prospect' && current === 'lead')) return false;
  return (status === 'active') === (current === 'inactive' || current === 'closed');
}

/** The user's choices about the statuses in a file, made before the import. */
export const STATUS_CHOICES = { prospects: ['leave_out', 'archive'], existing: ['keep', 'change'] } as const;
export type StatusChoices = {
  readonly prospects: (typeof STATUS_CHOICES.prospects)[number];
  readonly existing: (typeof STATUS_CHOICES.existing)[number];
};

/** Imported prospects would count in every total, and an existing client is archived or reactivated only if the user chooses that. */
export const DEFAULT_STATUS_CHOICES: StatusChoices = { prospects: 'leave_out', existing: 'keep' };
