/** Who lives in the sandbox world at HMRC's double; the portal's own seed uses the same names and numbers (product decisions, section 12). */

/** Password of everybody in the sandbox world, at the portal and at HMRC's double alike. */
export const SANDBOX_PASSWORD = 'Sandbox-2026!';

/** Tessa Bright's company as HMRC's double knows it: VAT-registered, quarterly, a return ready to file. The VRN passes its check digits. */
export const BRIGHTWELL = {
  hmrcUserId: 'brightwell',
  hmrcPassword: SANDBOX_PASSWORD,
  organisationName: 'Brightwell Exports Ltd',
  ownerName: 'Tessa Bright',
  ownerEmail: 'tessa@brightwell.example',
  vrn: '482193730',
  vatRegisteredOn: '2019-04-01',
  /** The company's own account, into which HMRC repays until the trader names another. */
  bankAccount: { sortCode: '200000', accountNumber: '55779911' },
} as const;
