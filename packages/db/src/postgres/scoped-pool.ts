/** A pool whose connections act in the scope of the async context that uses them (tenant-scope.ts). */
import { AppError } from '@portal/domain/app-error.ts';
import pg from 'pg';
import { NoConnectionError } from '../database-outage.ts';
import { RUNTIME_ROLE, SYSTEM_ROLE } from '../access/roles.ts';
import { observeQuery } from '../observe-statements.ts';
import { getSqlState } from '../sql-errors.ts';
import { findScope, type TenantScope } from '../tenant-scope.ts';
import { assertOutsideTransaction } from '../transaction-scope.ts';

/** The role that logged in. For migrations and test code. */
type ConnectionScope = TenantScope | { readonly kind: 'owner' };

type ConnectCallback = (error: Error | undefined, client: pg.PoolClient | undefined, release: (error?: Error | boolean) => void) => void;

type ScopedPoolConfig = pg.PoolConfig & {
  /** The scope for queries that run outside any explicit scope. */
  readonly defaultScope: ConnectionScope;
};

/**
 * Uses only the pool's public methods. A connection remembers its scope, so that further work for the same tenant and user needs no extra
 * round trip.
 */
export class ScopedPool extends pg.Pool {
  readonly #defaultScope: ConnectionScope;
  /** The scope that each connection was last set to; missing while it is unknown. */
  readonly #settings = new WeakMap<pg.ClientBase, string>();

  constructor({ defaultScope, ...config }: ScopedPoolConfig) {
    super(config);
    this.#defaultScope = defaultScope;
  }

  /** Rejects queries that bypass the connection of an open transaction. */
  // pg declares a dozen overloads; all of them can simply be forwarded.
  override query = ((...args: unknown[]): unknown => {
    assertOutsideTransaction();
    return observeQuery(super.query.bind(this) as (...forwarded: unknown[]) => unknown)(...args);
  }) as pg.Pool['query'];

  /** Called with a callback, as by the pool's own `query`, or with a promise. */
  override connect = ((done?: ConnectCallback): Promise<pg.PoolClient> | undefined => {
    if (done) {
      this.#connect(done);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.#connect((error, client) => (client ? resolve(client) : reject(error ?? new Error('the pool gave no connection'))));
    });
  }) as pg.Pool['connect'];

  /**
   * Uses callbacks, like the pool's own methods. Awaiting the connection and then the statement kept results alive until full garbage
   * collections (13 in 6 s of load instead of one), and a request took 1.6 times as much processor time.
   */
  #connect(done: ConnectCallback): void {
    // The callback may run in another caller's async context, so find the scope first.
    const scope = findScope() ?? this.#defaultScope;
    super.connect((error, client, release) => {
      const setting = client && this.#settingFor(client, scope);
      if (!client || setting === undefined) {
        done(client ? error : new NoConnectionError(error), client, release);
        return;
      }
      this.#enter(client, setting).then(
        () => done(undefined, client, release),
        (refusal: unknown) => {
          release(true);
          done(toConnectionError(refusal), undefined, release);
        },
      );
    });
  }

  /** Returns the setting that the connection needs for the scope, or undefined if it already has it. */
  #settingFor(client: pg.ClientBase, scope: ConnectionScope): string | undefined {
    const earlierSetting = this.#settings.get(client);
    if (scope.kind === 'unchanged' && earlierSetting !== undefined) return undefined;
    const setting = toStatements(scope);
    return setting === earlierSetting ? undefined : setting;
  }

  /** Sets the scope for the session, because most statements run outside transactions. */
  async #enter(client: pg.ClientBase, setting: string): Promise<void> {
    this.#settings.delete(client);
    await client.query(setting);
    this.#settings.set(client, setting);
  }
}

function toStatements(scope: ConnectionScope): string {
  const role = scope.kind === 'owner' ? 'none' : scope.kind === 'system' ? SYSTEM_ROLE : RUNTIME_ROLE;
  const tenantId = scope.kind === 'tenant' ? scope.tenantId : '';
  const clientId = scope.kind === 'tenant' ? (scope.clientId ?? '') : '';
  const actorId = scope.kind === 'tenant' || scope.kind === 'system' ? scope.actorId : '';
  return `set role ${role}; set app.tenant_id to ${pg.escapeLiteral(tenantId)}; set app.client_id to ${pg.escapeLiteral(clientId)}; set app.actor_id to ${pg.escapeLiteral(actorId)}`;
}

/** 22023 invalid_parameter_value: the role doesn't exist. 42501 insufficient_privilege: this user may not switch to the role. */
function toConnectionError(error: unknown): Error {
  const state = getSqlState(error);
  // The connection broke before its first statement.
  if (state === undefined) return new NoConnectionError(error);
  if (state !== '22023' && state !== '42501') return error instanceof Error ? error : new Error(String(error));
  return new AppError(
    'conflict',
    'database.roles_missing',
    `The database doesn’t have the roles ${RUNTIME_ROLE} and ${SYSTEM_ROLE}, or the user in DATABASE_URL isn’t a member of them. Run \`npm run migrate\` with both MIGRATION_DATABASE_URL (the owner of the tables) and DATABASE_URL (as used by the portal) to create them and add that user.`,
    undefined,
    error,
  );
}
