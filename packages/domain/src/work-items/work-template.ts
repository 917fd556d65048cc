/** Task templates: the steps of one service, and the HMRC obligations that create the tasks. */
import { addDays, type PlainDate } from '../plain-date.ts';
import type { ItemKind } from '../positions/position.ts';
import type { Tax } from '../uk-tax/tax.ts';
import type { WorkService } from './work-item.ts';

/** The date from which a step's due date is counted: the obligation's period end or due day, or the user's date if created manually. */
export const STEP_ANCHORS = ['period_end', 'due_day'] as const;
export type StepAnchor = (typeof STEP_ANCHORS)[number];

/** One task in a template. `days` counts from its anchor; negative means before it. */
export type TemplateStep = {
  readonly title: string;
  readonly from: StepAnchor;
  readonly days: number;
  readonly checklist: readonly string[];
};

/** The obligations that create a template's tasks. */
export type WorkTrigger = { readonly tax: Tax; readonly kind: Extract<ItemKind, 'return' | 'quarterly_update'> };

export type WorkTemplate = {
  /** The name of a built-in template, or the id of one of the practice's own. */
  readonly key: string;
  readonly name: string;
  readonly service: WorkService;
  readonly steps: readonly TemplateStep[];
  /** Null if the template is only applied manually. */
  readonly trigger: WorkTrigger | null;
};

export const MAX_TEMPLATE_STEPS = 20;
export const MAX_STEP_DAYS = 366;
/** The maximum number of templates per practice. */
export const MAX_WORK_TEMPLATES = 100;

/** Returns the due date for a step that a user creates manually, counted from the date they enter. */
export function getStepDueOn({ days }: Pick<TemplateStep, 'days'>, day: PlainDate): PlainDate {
  return addDays(day, days);
}

const createNewStep = (days: number, title: string, ...checklist: string[]): TemplateStep => ({
  title,
  from: 'period_end',
  days,
  checklist,
});
const createExistingStep = (days: number, title: string, ...checklist: string[]): TemplateStep => ({
  title,
  from: 'due_day',
  days: -days,
  checklist,
});

/**
 * The templates that every practice starts with. An admin's changes are stored for that practice. The intervals are ours, not statutory:
 * they leave time before HMRC's due date.
 */
export const BUILT_IN_TEMPLATES: readonly WorkTemplate[] = [
  {
    key: 'vat_return',
    name: 'VAT return',
    service: 'vat',
    trigger: { tax: 'vat', kind: 'return' },
    steps: [
      createNewStep(14, 'Prepare the VAT return', 'Books received for the whole period', 'Bank reconciled', 'Nine boxes checked'),
      createExistingStep(10, 'Get the VAT return approved', 'Figures sent to the client', 'Approval received'),
      createExistingStep(5, 'File the VAT return', 'Filed', 'Client knows what to pay and when'),
    ],
  },
  {
    key: 'payroll_month',
    name: 'Payroll month',
    service: 'payroll',
    trigger: null,
    steps: [
      createExistingStep(7, 'Collect payroll changes', 'Starters and leavers', 'Hours and overtime'),
      createExistingStep(3, 'Run the payroll', 'Payslips checked', 'Client has approved the payroll'),
      createExistingStep(0, 'Submit the Full Payment Submission', 'Submitted on or before payday', 'Client knows what to pay HMRC'),
    ],
  },
  {
    key: 'accounts_ct600',
    name: 'Accounts and CT600',
    service: 'accounts',
    trigger: { tax: 'ct', kind: 'return' },
    steps: [
      createNewStep(30, 'Request the year-end records', 'Bank statements', 'Stock and debtors', 'Loans and assets'),
      createNewStep(120, 'Prepare the accounts and the tax computation', 'Draft accounts', 'Tax computation', 'Reviewed'),
      createNewStep(210, 'Get the accounts approved', 'Sent to the directors', 'Signed'),
      createExistingStep(30, 'File the accounts and the CT600', 'Companies House', 'HMRC'),
    ],
  },
  {
    key: 'self_assessment',
    name: 'Self Assessment return',
    service: 'self_assessment',
    trigger: { tax: 'sa', kind: 'return' },
    steps: [
      createNewStep(30, 'Request the tax return records', 'P60 and P45', 'Dividends and interest', 'Property', 'Pensions and gifts'),
      createExistingStep(60, 'Prepare the tax return', 'Return drafted', 'Reviewed'),
      createExistingStep(30, 'Get the tax return approved', 'Sent to the client', 'Approval received'),
      createExistingStep(14, 'File the tax return', 'Filed', 'Client knows what to pay and when'),
    ],
  },
  {
    key: 'confirmation_statement',
    name: 'Confirmation statement',
    service: 'company_secretarial',
    trigger: null,
    steps: [
      createExistingStep(14, 'Check the company’s details', 'Directors and addresses', 'People with significant control', 'Shareholders'),
      createExistingStep(7, 'File the confirmation statement', 'Filed at Companies House', 'Fee paid'),
    ],
  },
  {
    key: 'client_onboarding',
    name: 'New client',
    service: 'onboarding',
    trigger: null,
    steps: [
      createNewStep(2, 'Check the client’s identity', 'Identity checked', 'Risk assessed'),
      createNewStep(5, 'Send the letter of engagement', 'Sent', 'Signed'),
      createNewStep(7, 'Get authorised at HMRC', 'VAT', 'PAYE', 'Corporation tax', 'Self Assessment'),
      createNewStep(14, 'Request records from the previous accountant', 'Professional clearance', 'Last accounts and returns'),
    ],
  },
];
