/** What the person confirms before a return is final. HMRC's own words (reference/hmrc FACTS section 3.5); they must not be changed. */
export const DECLARATIONS = {
  trader:
    'When you submit this VAT information you are making a legal declaration that the information is true and complete. A false declaration can result in prosecution.',
  agent:
    'I confirm that my client has received a copy of the information contained in this return and approved the information as being correct and complete to the best of their knowledge and belief.',
} as const;
