/** The scope of a request: it can't access any tenant's rows until authorise.ts has determined the tenant. */
import { enterScope, runOutsideTenants } from '@portal/db/tenant-scope.ts';
import type { FastifyInstance } from 'fastify';
import { enterAsSystem } from '../run-as-system.ts';
import type { Tenant } from './resolve-tenant.ts';
import { getActingUserId, type Actor } from './session.ts';

/** At `preValidation`, because earlier hooks run in a different async context from the handler (nodejs/node#34430). */
export function startRequestScopes(app: FastifyInstance): void {
  app.addHook('preValidation', (_request, _reply, done) => runOutsideTenants(done));
}

/** Limits the rest of the request to the tenant’s rows. If its access rule has no tenant, it can access all rows. */
export function enterRequestScope(tenant: Tenant | undefined, actor: Actor | undefined): void {
  const actorId = actor ? getActingUserId(actor) : 'public';
  if (!tenant) enterAsSystem('request', actorId);
  else if (tenant.kind === 'client') enterScope({ kind: 'tenant', tenantId: tenant.practiceId, clientId: tenant.clientId, actorId });
  else enterScope({ kind: 'tenant', tenantId: tenant.kind === 'trader' ? tenant.companyId : tenant.practiceId, actorId });
}
