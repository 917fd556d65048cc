import { sql, type SQL } from '@portal/db/sql.ts';

/** Returns a condition for clients that are registered for VAT, as far as is known here. `table`: the name of the clients table or its alias. */
export const isVatRegistered = (table: 'c' | 'clients'): SQL<boolean> =>
  sql.raw(
    `(${table}.has_vat or ${table}.vrn is not null or ${table}.vat_registered_on is not null or ${table}.vat_group_role is not null)`,
  ) as SQL<boolean>;
