/** Tests that every table or column with a company's or user's data is in the download, or has a reason for being excluded. */
import { getTenantColumn, TABLES_WITHOUT_TENANT } from '@portal/db/access/tables-without-tenant.ts';
import * as schema from '@portal/db/schema/schema.ts';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { COMPANY_DATA, NOT_IN_COMPANY_COLUMNS, NOT_IN_COMPANY_DATA } from './company-data.ts';
import { NOT_IN_PERSON_DATA } from './not-in-person-data.ts';
import { PERSON_DATA } from './person-data.ts';

const tables = Object.values(schema).flatMap((table) => (table instanceof PgTable ? [getTableConfig(table)] : []));
const listColumns = (name: string): string[] => tables.find((table) => table.name === name)?.columns.map((column) => column.name) ?? [];
const SECRET = /hash|secret|token|password|sealed|salt|lease|holder|code_verifier|nonce|public_key/;

describe('a company’s download', () => {
  it('contains every table with a tenant column, or gives a reason why not', () => {
    const tenantTables = tables.filter(({ name, columns }) =>
      columns.some((column) => column.name === getTenantColumn(name) && name !== 'id'),
    );
    const expected = tenantTables
      .map(({ name }) => name)
      .filter((name) => name === 'companies' || listColumns(name).includes('company_id'));
    expect(expected.length).toBeGreaterThan(60);
    expect([...Object.keys(COMPANY_DATA), ...Object.keys(NOT_IN_COMPANY_DATA)].toSorted()).toEqual(expected.toSorted());
    const missingTables = tables.filter(({ name }) => !(name in TABLES_WITHOUT_TENANT) && !expected.includes(name));
    expect(missingTables.map(({ name }) => name)).toEqual([]);
  });

  it('leaves out columns that exist, and includes none that looks like a secret', () => {
    for (const [name, columns] of Object.entries(NOT_IN_COMPANY_COLUMNS)) {
      expect([name, Object.keys(columns).filter((column) => !listColumns(name).includes(column))]).toEqual([name, []]);
    }
    const harmlessColumns = [
      'advances.agreement_hash',
      'audit_entries.hash',
      'audit_entries.previous_hash',
      'client_observations.body_hash',
    ];
    const accountHolders = ['bank_accounts', 'collection_accounts', 'payouts'].map((name) => `${name}.account_holder`);
    const exposedColumns = Object.keys(COMPANY_DATA).flatMap((name) =>
      listColumns(name)
        .filter((column) => SECRET.test(column) && !(column in (NOT_IN_COMPANY_COLUMNS[name] ?? {})))
        .map((column) => `${name}.${column}`),
    );
    expect(exposedColumns.toSorted()).toEqual([...harmlessColumns, ...accountHolders].toSorted());
  });
});

describe('a person’s download', () => {
  it('has a file for each of its parts', () => {
    const names = PERSON_DATA.map(({ fileName, table }) => fileName ?? getTableConfig(table).name);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });

  it('has every column that names a person, or a reason says why not', () => {
    const names = /(^|_)(by|user_id|author_id|viewer_id|owner_id|operator_id|assigned_to|view_as|link_to|actor)$/;
    const tablesNamingPeople = tables.flatMap((table) => {
      const references = table.foreignKeys.flatMap((key) => {
        const { foreignTable, columns } = key.reference();
        return getTableConfig(foreignTable).name === 'users' ? columns.map(({ name }) => name) : [];
      });
      const foundColumns = table.columns.map(({ name }) => name).filter((name) => names.test(name) || references.includes(name));
      return [...(table.name === 'users' ? ['users.id'] : []), ...foundColumns.map((name) => `${table.name}.${name}`)];
    });
    // These don't identify users: the reason why a row matched, and the owner of a case, who is an operator.
    const isNotAboutPerson = (name: string): boolean => name === 'client_import_rows.matched_by';
    const heldColumns = PERSON_DATA.flatMap(({ table, person }) => (person ? [`${getTableConfig(table).name}.${person.name}`] : []));
    expect([...heldColumns, ...Object.keys(NOT_IN_PERSON_DATA)].toSorted()).toEqual(
      [...new Set(tablesNamingPeople)].filter((name) => !isNotAboutPerson(name)).toSorted(),
    );
  });

  it('has no column that looks like a secret, and no values of an entry that may name others', () => {
    const exposedColumns = PERSON_DATA.flatMap(({ table, columns }) => columns.map(({ name }) => `${getTableConfig(table).name}.${name}`));
    expect(exposedColumns.filter((name) => SECRET.test(name))).toEqual(['advances.agreement_hash']);
    expect(exposedColumns).not.toContain('audit_entries.before');
    expect(exposedColumns).not.toContain('audit_entries.after');
  });
});
