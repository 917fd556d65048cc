/** The practice that acts for the portfolio's clients, as registered with the HMRC simulator (docs/product/decisions.md section 12). */
import { SANDBOX_PASSWORD } from '../seed/seed-data.ts';
import { createArn } from './references.ts';

export const OAKLINE = {
  name: 'Oakline Accounting Ltd',
  arn: createArn('0007331'),
  hmrcUserId: 'oakline',
  hmrcPassword: SANDBOX_PASSWORD,
  emailAddress: 'priya@oakline.example',
} as const;

/** Carl Harlow's company, always the first client. The seed data gives it a portal account. */
export const HARLOW = {
  name: 'Harlow Joinery Ltd',
  contact: 'Carl Harlow',
  email: 'carl@harlow.example',
  companyNumber: '05518273',
  postcode: 'CM20 2QE',
} as const;
