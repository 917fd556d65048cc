/** The figures of the demo preview. A test compares them with the demo, whose code would make the page twice as large. */
export const PREVIEW_FIGURES = {
  company: 'Albion Demo Ltd',
  vatNumber: '123 4567 82',
  deadline: { left: '64 working days left', what: 'VAT return for 1 October to 31 December 2026', due: 'Due on 7 February 2027' },
  openPeriod: { amount: '£3,204.47', span: 'For 1 October to 31 December 2026' },
  refund: { paid: '£12,217.14', sum: 'Refund £12,340.55, less our fee of £123.41' },
  stages: [
    { title: 'Return filed', when: '3 November 2026, 10:12' },
    { title: 'Offer made', when: '3 November 2026, 10:12' },
    { title: 'Offer accepted', when: '3 November 2026, 11:05' },
    { title: 'Approved', when: '3 November 2026, 15:20' },
    { title: 'Paid to you', when: '4 November 2026, 09:12' },
    { title: 'Waiting for HMRC', when: 'Expected by 3 December 2026' },
    { title: 'Settled', when: '' },
  ],
  /** The title of the current stage. */
  currentStage: 'Waiting for HMRC',
  /** VAT per period in whole pounds, newest first. */
  periods: [
    { name: 'Dec 2026 *', sales: 1117, purchases: 4322, net: 3204 },
    { name: 'Sep 2026', sales: 3369, purchases: 15_709, net: 12_341 },
    { name: 'Jun 2026', sales: 5315, purchases: 17_042, net: 11_726 },
    { name: 'Mar 2026', sales: 6547, purchases: 11_403, net: 4857 },
    { name: 'Dec 2025', sales: 6733, purchases: 17_516, net: 10_783 },
    { name: 'Sep 2025', sales: 7544, purchases: 11_738, net: 4194 },
  ],
} as const;
