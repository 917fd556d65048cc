/** What each kind of job does. */
import { challenges, loginLinks, sessions, signInStates } from '@portal/db/schema/schema.ts';
import { lt } from 'drizzle-orm';
import type { AppDeps } from './app-deps.ts';
import { advanceJobs } from './features/advances/advance-jobs.ts';
import { forgetClientChanges, undoClientChange } from './features/clients/undo-change.ts';
import { clientImportJobs } from './features/client-imports/client-import-jobs.ts';
import { forgetImportRows } from './features/client-imports/forget-import-rows.ts';
import { watchGrants } from './features/hmrc-connection/watch-grants.ts';
import { forgetOldAttempts } from './features/identity/limit-attempts.ts';
import { authorisationJobs } from './features/practice/authorisation-jobs.ts';
import { positionJobs } from './features/positions/position-jobs.ts';
import { forgetStatementRows } from './features/tax-statements/forget-statement-rows.ts';
import { syncJobs } from './features/sync/sync-jobs.ts';
import { taxStatementJobs } from './features/tax-statements/tax-statement-jobs.ts';
import { resealSecrets } from './secrets/reseal-secrets.ts';
import type { PortalJobHandlers } from './jobs/job-kinds.ts';
import { tryEach } from './jobs/try-each.ts';

export function jobHandlers(deps: AppDeps): PortalJobHandlers {
  return {
    ...advanceJobs(deps),
    ...positionJobs(deps),
    ...authorisationJobs(deps),
    ...clientImportJobs(deps),
    ...syncJobs(deps),
    ...taxStatementJobs(deps),
    'rows.forget': () => tryEach([forgetStatementRows, forgetImportRows, forgetClientChanges], (forget) => forget(deps)),
    'clients.undo-change': (change, run) => undoClientChange(deps, change, run),
    'grants.sweep': () => watchGrants(deps),
    'mail.send': (mail, { id }) => deps.mailer.send(mail, id),
    'identity.sweep': async () => {
      const now = deps.wallClock.now();
      await deps.database.db.delete(sessions).where(lt(sessions.expiresAt, now));
      await deps.database.db.delete(loginLinks).where(lt(loginLinks.expiresAt, now));
      await deps.database.db.delete(signInStates).where(lt(signInStates.expiresAt, now));
      await deps.database.db.delete(challenges).where(lt(challenges.expiresAt, now));
      await resealSecrets(deps);
      await forgetOldAttempts(deps.database.db, deps.wallClock);
    },
  };
}
