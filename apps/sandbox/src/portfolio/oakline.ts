/** The practice of the portfolio's clients, as the HMRC simulator knows it (docs/product/decisions.md section 12). */
import { SANDBOX_PASSWORD } from '../seed/seed-data.ts';
import { createArn } from './references.ts';

export const OAKLINE = {
  name: 'Oakline Accounting Ltd',
  arn: createArn('0007331'),
  hmrcUserId: 'oakline',
  hmrcPassword: SANDBOX_PASSWORD,
  emailAddress: 'priya@oakline.example',
} as const;

/** Carl Harlow's company, which the seed data gives a portal account; always the first client. */
export const HARLOW = {
  name: 'Harlow Joinery Ltd',
  contact: 'Carl Harlow',
  email: 'carl@harlow.example',
  companyNumber: '05518273',
  postcode: 'CM20 2QE',
} as const;
