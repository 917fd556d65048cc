/** Seed data of the HMRC simulator. The portal's seed data uses the same names and numbers (docs/product/decisions.md section 12). */

/** Password of every seeded user, at the portal and at the HMRC simulator. */
export const SANDBOX_PASSWORD = 'Sandbox-2026!';

/** Tessa Bright's company at the HMRC simulator: VAT-registered, quarterly, with a return ready to file. The VRN has valid check digits. */
export const BRIGHTWELL = {
  hmrcUserId: 'brightwell',
  hmrcPassword: SANDBOX_PASSWORD,
  organisationName: 'Brightwell Exports Ltd',
  ownerName: 'Tessa Bright',
  ownerEmail: 'tessa@brightwell.example',
  vrn: '482193730',
  vatRegisteredOn: '2019-04-01',
  /** The company's ID at QuickBooks. */
  realmId: '9341453397112046',
  /** The company's bank account. HMRC repays to it until the trader changes it. */
  bankAccount: { sortCode: '200000', accountNumber: '55779911' },
} as const;
