/** A practice's branding in its client portal and in emails to its clients (docs/decisions/0062-clients-files.md). */
import { parseColour } from '@portal/domain/practice/brand-colour.ts';
import { z } from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { companyInput, doneOutput, fileNameScalar } from './scalars.ts';

export const LOGO_UPLOAD_PATH = '/open-tax/brand/logo';
/** The maximum size of an uploaded logo. */
export const MAX_LOGO_BYTES = 1024 * 1024;

export const logoUploadQuery = z.extend(companyInput, { file_name: fileNameScalar });
export const logoUploadOutput = doneOutput;

export const brand = z.object({
  name: z.string(),
  /** The colour that the practice chose; null for our default. */
  colour: z.nullable(z.string()),
  /** The colour adjusted to a contrast of at least 4.5 on both the light and the dark page; null for our default. */
  shades: z.nullable(z.object({ light: z.string(), dark: z.string() })),
  /** A PNG as a data URL; null without a logo. */
  logo: z.nullable(z.string()),
});
export type PracticeBrand = z.output<typeof brand>;

export const practiceBrandApi = {
  get: endpoint({
    method: 'GET',
    path: '/open-tax/brand',
    access: 'practice.read',
    summary: 'Get the practice’s logo and colour as its clients see them',
    input: companyInput,
    output: brand,
  }),
  save: endpoint({
    method: 'POST',
    path: '/open-tax/brand',
    access: 'practice.manage',
    summary: 'Choose the practice’s colour, or none, and optionally remove its logo',
    input: z.extend(companyInput, {
      colour: z.nullable(z.string().check(z.refine((text) => parseColour(text) !== undefined, 'Enter a colour such as #7440F5'))),
      removes_logo: z._default(z.boolean(), false),
    }),
    output: doneOutput,
  }),
  ofClient: endpoint({
    method: 'GET',
    path: '/client/brand',
    access: 'client.own',
    summary: 'Get the logo and colour of the client’s practice',
    input: companyInput,
    output: brand,
  }),
};
