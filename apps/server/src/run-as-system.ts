/** Work that isn't about one tenant. Everything else runs in its tenant's scope, in which PostgreSQL returns no other tenant's rows. */
import { enterScope, findScope, runInScope } from '@portal/db/tenant-scope.ts';

/** Every reason to access all tenants' rows. */
export const SYSTEM_WORK = {
  request: 'Its access rule has no tenant: signing in, choosing or creating a company, the contact page, the operators’ desk.',
  job: 'Its payload names no company: periodic jobs look for what is due in all of them, and mail goes to people.',
  'bank record': 'A payment that a restored database doesn’t know names its company only by its reference.',
  webhook: 'A provider names its own id, by which the tenant is found.',
  'mail report': 'The token in the address that it came to finds the company and the email.',
  'calendar feed': 'The secret in the address finds the practice.',
  'api key': 'The key finds the company and the person it acts for.',
  program: 'An app’s code or token finds the practice and the user it acts for.',
  'unsubscribe link': 'The secret in the address of an email finds the person and the practice.',
  'practice download': 'Books and returns of a practice’s clients, each a tenant of its own, for exactly these clients.',
  'replaced books': 'Whether clients that a practice links have books of their own, each a tenant of its own, for exactly these clients.',
  command: 'An administrator of the server adds operators or checks the whole audit trail.',
  metrics: 'Figures of the whole product: payouts by state, exposure, clients read.',
  start: 'Seeds the sandbox, refuses its people where they don’t belong, and checks that our keys open what is stored.',
} as const;

type SystemWork = keyof typeof SYSTEM_WORK;

export function runAsSystem<Result>(reason: SystemWork, work: () => PromiseLike<Result> | Result): Promise<Result> {
  return runInScope({ kind: 'system', actorId: findActorId() ?? `system: ${reason}` }, work);
}

/** For a request, whose scope is decided while it runs. */
export function enterAsSystem(_reason: SystemWork & 'request', actorId: string): void {
  enterScope({ kind: 'system', actorId });
}

function findActorId(): string | undefined {
  const scope = findScope();
  return scope?.kind === 'tenant' || scope?.kind === 'system' ? scope.actorId : undefined;
}
