/** Scalar schemas for endpoints. Each is the wire format of a domain type. */
import { parseInstant, type Instant } from '@portal/domain/clock.ts';
import type { Pence, WholePounds } from '@portal/domain/money.ts';
import { parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { ITEM_KINDS } from '@portal/domain/positions/position.ts';
import { FIGURE_SOURCES } from '@portal/domain/positions/tax-facts.ts';
import { z } from 'zod/mini';

/** Whole pence; field names end in `_pence`. */
export const penceScalar = z.int().check(z.meta({ description: 'Pence' })) as unknown as z.ZodMiniType<Pence, number>;

/** Whole pounds, as in boxes 6 to 9 of a VAT return. */
export const wholePoundsScalar = z.int().check(z.meta({ description: 'Whole pounds' })) as unknown as z.ZodMiniType<WholePounds, number>;

/** A calendar date as "YYYY-MM-DD". */
export const dateScalar = z.string().check(
  z.refine((text) => parsePlainDate(text) !== undefined, 'Enter a date as YYYY-MM-DD, for example 2026-03-07'),
  z.meta({ format: 'date' }),
) as unknown as z.ZodMiniType<PlainDate, string>;

/** A moment in UTC, for example "2026-11-21T09:14:00.000Z". */
export const instantScalar = z.string().check(
  z.refine((text) => parseInstant(text) !== undefined, 'Enter a date and time with its time zone, for example 2026-11-21T09:14:00Z'),
  z.meta({ format: 'date-time' }),
) as unknown as z.ZodMiniType<Instant, string>;

/**
 * The ID of a row. The specification fixes the message "badly formed": its client redirects home on `company_id: badly formed`. RFC 9562
 * allows capitals in input, but PostgreSQL returns lower case, so IDs are compared in lower case.
 */
export const idScalar = z.uuid('badly formed').check(z.toLowerCase());

/** The tenant, required by every company endpoint. */
export const companyInput = z.object({ company_id: idScalar });

/** An email address, trimmed and lower-cased. The specification fixes both error messages (docs/product/specification.md section 5). */
export const emailScalar = z
  .pipe(
    z.string().check(z.trim(), z.minLength(1, 'Email is required'), z.maxLength(254, 'Invalid email address')),
    z.email('Invalid email address'),
  )
  .check(z.overwrite((email) => email.toLowerCase()));

/**
 * The name of a person or company, limited to one line because agreements and emails contain it. `subject` is, for example, "your full
 * name".
 */
export const createNameScalar = (subject: string): z.ZodMiniString<string> =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, `Enter ${subject}`),
      z.maxLength(160, `Enter ${subject} of at most 160 characters`),
      z.regex(/^\P{Cc}*$/u, `Enter ${subject} on one line`),
    );

/** Removes what people, apps and dictation put between digits: spaces, hyphens, dashes, full stops and invisible characters. */
const removeSeparators = z.overwrite((text: string) => text.replaceAll(/[\s\p{P}\p{Cf}]/gu, ''));

/** The sort code of a UK bank account. Separators are removed. */
export const sortCodeScalar = z.pipe(
  z.string().check(removeSeparators),
  z.string().check(z.regex(/^\d{6}$/, 'Enter a 6-digit sort code, for example 20-00-00')),
);

/** The account number of a UK bank account. Separators are removed. */
export const accountNumberScalar = z.pipe(
  z.string().check(removeSeparators),
  z.string().check(z.regex(/^\d{8}$/, 'Enter an 8-digit account number')),
);

/** A code of digits from an app or a message. Apps show it in groups, "123 456", and it is pasted like that. */
export const createCodeScalar = (pattern: RegExp, error: string) =>
  z.pipe(z.string().check(removeSeparators), z.string().check(z.regex(pattern, error)));

/** The name of an uploaded file, from the query string. */
export const fileNameScalar = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter a file name'), z.maxLength(200, 'Enter a file name of at most 200 characters'));

/** A response that only confirms success. */
export const doneOutput = z.object({ done: z.literal(true) });

/** Status of a sign-up step. `later`: the user chose to do it another time. */
export const stepStatus = z.enum(['done', 'later', 'todo']);
export type StepStatus = z.output<typeof stepStatus>;

/** The source of a figure. */
export const figureSource = z.enum(FIGURE_SOURCES);

/** The type of a dated item, such as a payment on account or a final declaration. */
export const itemKind = z.enum(ITEM_KINDS);
