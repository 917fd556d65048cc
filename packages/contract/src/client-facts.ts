/** A client's details as form fields. */
import { CLIENT_KINDS } from '@portal/domain/client-imports/imported-client.ts';
import { z } from 'zod/mini';
import { taxScalar } from './practice.ts';
import { createNameScalar } from './scalars.ts';

const optionalText = z._default(z.string().check(z.trim(), z.maxLength(200, 'Use at most 200 characters')), '');

/** A client's details as text, validated in the same way as a row of an import file. Empty text means no value. */
export const clientFacts = z.object({
  name: createNameScalar('the client’s name'),
  kind: z.enum(CLIENT_KINDS),
  taxes: z.array(taxScalar).check(z.maxLength(4)),
  vrn: optionalText,
  utr: optionalText,
  nino: optionalText,
  company_number: optionalText,
  paye_reference: optionalText,
  accounts_office_reference: optionalText,
  postcode: optionalText,
  vat_registered_on: optionalText,
  year_end: optionalText,
  email: optionalText,
  phone: optionalText,
  client_code: optionalText,
});
export type ClientFacts = z.output<typeof clientFacts>;
