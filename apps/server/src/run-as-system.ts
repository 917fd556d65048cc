/** Work that isn't about one tenant. Everything else runs in its tenant's scope, where PostgreSQL returns no other tenant's rows. */
import { enterScope, findScope, runInScope } from '@portal/db/tenant-scope.ts';

/** All reasons for accessing every tenant's rows. */
export const SYSTEM_WORK = {
  request: 'Its access rule doesn’t name a tenant: signing in, choosing or creating a company, the contact page, the operators’ desk.',
  job: 'Its payload doesn’t name a company: periodic jobs look for due work in all companies, and mail is addressed to people.',
  'bank record': 'A payment unknown to a restored database identifies its company only by its reference.',
  webhook: 'A provider sends its own ID, which identifies the tenant.',
  'mail report': 'The token in the recipient address identifies the company and the email.',
  'calendar feed': 'The secret in the URL identifies the practice.',
  'api key': 'The key identifies the company and the user it acts for.',
  program: 'An app’s code or token identifies the practice and the user it acts for.',
  'unsubscribe link': 'The secret in an email’s URL identifies the person and the practice.',
  'practice download': 'Books and returns of a practice’s clients, each a separate tenant, for exactly these clients.',
  'replaced books': 'Checks whether clients that a practice links have their own books, each a separate tenant, for exactly these clients.',
  command: 'A server administrator adds operators or checks the whole audit trail.',
  metrics: 'Totals for the whole product: payouts by state, exposure, clients read.',
  start: 'Seeds the sandbox, rejects its accounts on real systems, and checks that our keys decrypt what is stored.',
} as const;

type SystemWork = keyof typeof SYSTEM_WORK;

export function runAsSystem<Result>(reason: SystemWork, work: () => PromiseLike<Result> | Result): Promise<Result> {
  return runInScope({ kind: 'system', actorId: findActorId() ?? `system: ${reason}` }, work);
}

/** For a request, whose scope is only determined while it runs. */
export function enterAsSystem(_reason: SystemWork & 'request', actorId: string): void {
  enterScope({ kind: 'system', actorId });
}

function findActorId(): string | undefined {
  const scope = findScope();
  return scope?.kind === 'tenant' || scope?.kind === 'system' ? scope.actorId : undefined;
}
