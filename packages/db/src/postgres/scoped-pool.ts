/** A pool whose connections act in the scope of the async context that uses them (tenant-scope.ts). */
import { AppError } from '@portal/domain/app-error.ts';
import pg from 'pg';
import { RUNTIME_ROLE, SYSTEM_ROLE } from '../access/roles.ts';
import { getSqlState } from '../sql-errors.ts';
import { findScope, type TenantScope } from '../tenant-scope.ts';
import { assertOutsideTransaction } from '../transaction-scope.ts';

/** As the role that logged in: for migrations, and for the code of tests. */
type ConnectionScope = TenantScope | { readonly kind: 'owner' };

type ScopedPoolConfig = pg.PoolConfig & {
  /** Where no scope was entered. */
  readonly defaultScope: ConnectionScope;
};

/**
 * Uses only the pool's public methods. A connection remembers its scope, so that work for the same tenant and person costs no further round
 * trip.
 */
export class ScopedPool extends pg.Pool {
  readonly #defaultScope: ConnectionScope;
  /** What each connection was last set to; none while that is unknown. */
  readonly #settings = new WeakMap<pg.ClientBase, string>();

  constructor({ defaultScope, ...config }: ScopedPoolConfig) {
    super(config);
    this.#defaultScope = defaultScope;
  }

  /** Rejects queries outside the connection of an open transaction. */
  // pg declares a dozen overloads; all of those with a promise can simply be forwarded.
  override query = (async (...args: unknown[]): Promise<unknown> => {
    assertOutsideTransaction();
    const client = await this.connect();
    try {
      const result = await (client.query as (...forwarded: unknown[]) => Promise<unknown>)(...args);
      client.release();
      return result;
    } catch (error) {
      // As pg's own pool: the connection may be unusable.
      client.release(true);
      throw error;
    }
  }) as unknown as pg.Pool['query'];

  override connect = (async (): Promise<pg.PoolClient> => {
    // A free connection may come in another caller's async context, so look the scope up first.
    const scope = findScope() ?? this.#defaultScope;
    const client = await super.connect();
    try {
      await this.#enter(client, scope);
    } catch (error) {
      client.release(true);
      throw describeMissingRole(error);
    }
    return client;
  }) as pg.Pool['connect'];

  /** Set for the session, because most statements run outside transactions. */
  async #enter(client: pg.ClientBase, scope: ConnectionScope): Promise<void> {
    const earlier = this.#settings.get(client);
    if (scope.kind === 'unchanged' && earlier !== undefined) return;
    const setting = toStatements(scope);
    if (setting === earlier) return;
    this.#settings.delete(client);
    await client.query(setting);
    this.#settings.set(client, setting);
  }
}

function toStatements(scope: ConnectionScope): string {
  const role = scope.kind === 'owner' ? 'none' : scope.kind === 'system' ? SYSTEM_ROLE : RUNTIME_ROLE;
  const tenantId = scope.kind === 'tenant' ? scope.tenantId : '';
  const actorId = scope.kind === 'tenant' || scope.kind === 'system' ? scope.actorId : '';
  return `set role ${role}; set app.tenant_id to ${pg.escapeLiteral(tenantId)}; set app.actor_id to ${pg.escapeLiteral(actorId)}`;
}

/** 22023 invalid_parameter_value: the role doesn't exist. 42501 insufficient_privilege: we may not become it. */
function describeMissingRole(error: unknown): unknown {
  const state = getSqlState(error);
  if (state !== '22023' && state !== '42501') return error;
  return new AppError(
    'conflict',
    'database.roles_missing',
    `The database lacks the roles ${RUNTIME_ROLE} and ${SYSTEM_ROLE}, or the user in DATABASE_URL isn’t a member of them. Run \`npm run migrate\`, which creates them and makes that user a member.`,
    undefined,
    error,
  );
}
