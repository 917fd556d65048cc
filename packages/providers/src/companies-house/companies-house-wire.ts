/**
 * Wire shapes for the public data API. Search uses `title` and `company_type` where the profile uses `company_name` and `type`. The shapes
 * are deliberately lenient: the published description requires fields that live responses omit, and lists fewer values than are actually
 * sent.
 */
import { z } from 'zod';

const text = z.string().nullish();

/** Dates such as "2015-03-11". The mapping ignores the few from before 1900, which PlainDate doesn't support. */
const date = z.string().nullish();

export const searchWire = z.object({
  kind: z.string().optional(),
  total_results: z.int().optional(),
  items: z.array(
    z.object({
      title: z.string(),
      company_number: z.string(),
      company_status: text,
      company_type: text,
      date_of_creation: date,
      address_snippet: text,
    }),
  ),
});
export type SearchHitWire = z.infer<typeof searchWire>['items'][number];

const addressWire = z.object({
  care_of: text,
  po_box: text,
  premises: text,
  address_line_1: text,
  address_line_2: text,
  locality: text,
  region: text,
  postal_code: text,
  country: text,
});
export type AddressWire = z.infer<typeof addressWire>;

/** The published description says integers, but real responses contain strings. */
const dayOrMonth = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,2}$/)
    .transform(Number),
]);

export const profileWire = z.object({
  company_name: z.string(),
  company_number: z.string(),
  company_status: text,
  company_status_detail: text,
  type: z.string(),
  date_of_creation: date,
  date_of_cessation: date,
  registered_office_address: addressWire.nullish(),
  previous_company_names: z.array(z.object({ name: z.string() })).nullish(),
  sic_codes: z.array(z.string()).nullish(),
  accounts: z
    .object({
      accounting_reference_date: z.object({ day: dayOrMonth, month: dayOrMonth }).nullish(),
      /** The next three fields are deprecated; the mapping prefers `next_accounts`. */
      next_due: date,
      next_made_up_to: date,
      overdue: z.boolean().nullish(),
      next_accounts: z.object({ period_end_on: date, due_on: date, overdue: z.boolean().nullish() }).nullish(),
      last_accounts: z.object({ period_end_on: date, made_up_to: date, type: text }).nullish(),
    })
    .nullish(),
  confirmation_statement: z
    .object({ last_made_up_to: date, next_made_up_to: date, next_due: date, overdue: z.boolean().nullish() })
    .nullish(),
  has_insolvency_history: z.boolean().nullish(),
  has_been_liquidated: z.boolean().nullish(),
  links: z.object({ insolvency: text }).nullish(),
});
export type ProfileWire = z.infer<typeof profileWire>;

/** Present for people. Their day of birth isn't published. */
const birthMonth = z.object({ month: z.int(), year: z.int() }).nullish();

/** Available since 18 November 2025. The list of officers doesn't have `appointment_verification_statement_date`. */
const identityDetails = z
  .object({
    appointment_verification_statement_date: date,
    appointment_verification_statement_due_on: date,
    appointment_verification_start_on: date,
    appointment_verification_end_on: date,
  })
  .nullish();
export type IdentityWire = z.infer<typeof identityDetails>;

export const officersWire = z.object({
  total_results: z.int().optional(),
  items: z.array(
    z.object({
      name: z.string(),
      officer_role: z.string(),
      appointed_on: date,
      resigned_on: date,
      date_of_birth: birthMonth,
      identity_verification_details: identityDetails,
    }),
  ),
});
export type OfficerWire = z.infer<typeof officersWire>['items'][number];

/** Statements and protected persons ("super-secure") don't have a name. */
export const controllersWire = z.object({
  total_results: z.int().optional(),
  items: z.array(
    z.object({
      kind: z.string(),
      name: text,
      ceased: z.boolean().nullish(),
      ceased_on: date,
      date_of_birth: birthMonth,
      identity_verification_details: identityDetails,
    }),
  ),
});
export type ControllerWire = z.infer<typeof controllersWire>['items'][number];

/** A 404 contains a list of errors, and a 401 a single error. */
export const faultWire = z.union([
  z.object({ errors: z.array(z.object({ error: z.string(), type: text })).min(1) }).transform(({ errors }) => errors[0]?.error ?? ''),
  z.object({ error: z.string() }).transform(({ error }) => error),
]);
