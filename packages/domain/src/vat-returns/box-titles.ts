/** The nine boxes with HMRC's names (VAT Notice 700/12, section 3). */
export const BOX_TITLES = {
  1: 'VAT due in the period on sales and other outputs',
  2: 'VAT due in the period on acquisitions of goods made in Northern Ireland from EU Member States',
  3: 'Total VAT due',
  4: 'VAT reclaimed in the period on purchases and other inputs (including acquisitions in Northern Ireland from EU Member States)',
  5: 'Net VAT to pay to HMRC or reclaim',
  6: 'Total value of sales and all other outputs excluding any VAT (including your box 8 figure)',
  7: 'Total value of purchases and all other inputs excluding any VAT (including your box 9 figure)',
  8: 'Total value of dispatches of goods and related costs (excluding VAT) from Northern Ireland to EU Member States',
  9: 'Total value of acquisitions of goods and related costs (excluding VAT) made in Northern Ireland from EU Member States',
} as const;
