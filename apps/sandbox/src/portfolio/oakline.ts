/** The practice whose clients the portfolio are, as HMRC's double knows it (product decisions, section 12). */
import { SANDBOX_PASSWORD } from '../seed/seed-data.ts';
import { makeArn } from './references.ts';

export const OAKLINE = {
  name: 'Oakline Accounting Ltd',
  arn: makeArn('0007331'),
  hmrcUserId: 'oakline',
  hmrcPassword: SANDBOX_PASSWORD,
  emailAddress: 'priya@oakline.example',
} as const;

/** Carl Harlow's company, whose portal account the sandbox world seeds: always the first client. */
export const HARLOW = {
  name: 'Harlow Joinery Ltd',
  contact: 'Carl Harlow',
  email: 'carl@harlow.example',
  companyNumber: '05518273',
  postcode: 'CM20 2QE',
} as const;
