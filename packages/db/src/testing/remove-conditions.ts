/** Runs statements without the conditions that limit them to a tenant, to show that the database's policies limit them too. */
import pg from 'pg';

const TENANT_CONDITION = /(?:"?\w+"?\.)?"?company_id"? = (\$\d+)(?:::uuid)?|"companies"\."id" = (\$\d+)/g;

/** Appended to the names of prepared statements whose conditions have been removed. */
const OPEN_SUFFIX = '_open';

export type ConditionRemover = { isOn: boolean; removed: number; uninstall(): void };

type RunQuery = (config: unknown, ...rest: unknown[]) => unknown;

/** Call this before the database opens. `removed` counts the changed statements. */
export function removeTenantConditions(): ConditionRemover {
  // oxlint-disable-next-line typescript/unbound-method
  const original = pg.Client.prototype.query as RunQuery;
  const uninstall = (): void => void (pg.Client.prototype.query = original as typeof pg.Client.prototype.query);
  const remover = { isOn: false, removed: 0, uninstall };
  pg.Client.prototype.query = function query(this: pg.Client, config: unknown, ...rest: unknown[]): unknown {
    if (!remover.isOn) return original.call(this, config, ...rest);
    const queryText = typeof config === 'string' ? config : (config as { text: string }).text;
    if (!/^\s*\(?(select|with)\b/i.test(queryText)) return original.call(this, config, ...rest);
    const changedText = queryText.replaceAll(
      TENANT_CONDITION,
      (_condition, first?: string, second?: string) => `(${first ?? second}::uuid is not null)`,
    );
    if (changedText === queryText) return original.call(this, config, ...rest);
    remover.removed += 1;
    if (typeof config === 'string') return original.call(this, changedText, ...rest);
    const { name } = config as { name?: string };
    return original.call(
      this,
      { ...(config as object), text: changedText, ...(name ? { name: name.slice(0, 50) + OPEN_SUFFIX } : {}) },
      ...rest,
    );
  } as typeof pg.Client.prototype.query;
  return remover;
}
