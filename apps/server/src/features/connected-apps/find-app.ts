/** Finds the app with a client ID: one that registered itself, or one whose ID is the URL of a document describing it. */
import type { Tx, Db } from '@portal/db/database.ts';
import { registeredApps } from '@portal/db/schema/schema.ts';
import { eq } from '@portal/db/sql.ts';
import type { AppDeps } from '../../app-deps.ts';
import { isId } from '../../http/resolve-tenant.ts';
import { UNNAMED_APP, appNameSchema } from './app-name.ts';

export type OauthApp = {
  readonly clientId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** The server that hosts the app's document; undefined if the app registered itself. */
  readonly describedBy: string | undefined;
};

export async function findApp(deps: Pick<AppDeps, 'database' | 'appDocuments'>, clientId: string): Promise<OauthApp | undefined> {
  if (isId(clientId)) return findRegisteredApp(deps.database.db, clientId);
  const document = await deps.appDocuments.read(clientId);
  if (document === undefined) return undefined;
  const name = appNameSchema.parse(document.name) || UNNAMED_APP;
  return { clientId, name, redirectUris: document.redirectUris, describedBy: new URL(clientId).host };
}

async function findRegisteredApp(db: Db | Tx, clientId: string): Promise<OauthApp | undefined> {
  const [row] = await db.select().from(registeredApps).where(eq(registeredApps.id, clientId.toLowerCase()));
  return row && { clientId: row.id, name: row.name, redirectUris: row.redirectUris, describedBy: undefined };
}
