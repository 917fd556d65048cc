/**
 * The declaration that the user makes before filing a return. The wording is HMRC's and must not change (docs/reference/hmrc.md section
 * 3.5).
 */
export const DECLARATIONS = {
  trader:
    'When you submit this VAT information you are making a legal declaration that the information is true and complete. A false declaration can result in prosecution.',
  agent:
    'I confirm that my client has received a copy of the information contained in this return and approved the information as being correct and complete to the best of their knowledge and belief.',
} as const;
